// A hand-tuned program that plays random games of Azul: two players, coloured wall, no special factories. It shows
// how fast one core can play.
//
// For every turn all legal moves are written into an array, one of them is picked at random with equal probabilities,
// and it is played. Ids such as AZ-13 refer to docs/rules/azul.md.
//
//     gcc -std=c11 -O3 -march=native limit.c -o limit && ./limit GAMES SEED
//
// After every turn the position is complete, with the floor lines space by space, like a row of the kernel that this
// program is compared with. It prints statistics of the games and CPU seconds. Needs gcc or clang and a little-endian
// machine.
// Rounds are not limited (AZ-34), so the one game in about ten million that locks (AZ-35) would never end.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint8_t u8;
typedef uint64_t u64;
typedef u8 Block __attribute__((vector_size(32)));

enum { SEATS = 2, DISCS = 5, CENTRE = 0, DISC_TILES = 4, COLOURS = 5, LINES = 5, FLOOR = LINES };

// Five fields of eight bits, one per colour. A pile has the number of tiles in each field; a set of places has in
// each field one bit for every source in which the colour lies, or for every line to which it may go.
#define EACH 0x0101010101u
#define TOPS (0x80 * EACH)
#define ALL (0xff * EACH)

// AZ-10: the marker lies above the colours of the centre's pile until somebody takes it.
enum { MARKER_AT = 8 * COLOURS, SPACES = 7, MARKER_CODE = COLOURS + 1 };

// A move is one byte: 48 * colour + 8 * line + source. Each of the 20 tiles of an offer allows at most six.
enum { PER_LINE = 8, PER_COLOUR = PER_LINE * (LINES + 1), MAX_MOVES = DISCS * DISC_TILES * (LINES + 1) };

typedef struct {
    _Alignas(64) u64 open; // for each colour the lines that may take it, and the floor
    u64 shown;             // for each colour the wall rows that show it
    u8 room[8];            // for each line the number of tiles that still fit; 0 for the floor
    u8 hue[8];             // for each line that holds tiles: 8 * their colour
    u8 rows[LINES];        // the wall: for each row a mask of its occupied columns
    u8 columns[5];         // the wall transposed: for each column a mask of its occupied rows
    unsigned floor;        // three bits per space, left to right: nothing, a colour + 1, or the marker
    int taken;             // spaces of the floor line that are taken
    int marker;            // whether this seat took the marker this round
    int score;
} Board;

typedef struct {
    u64 sources;          // for each colour the sources that hold it
    u64 discs[1 + DISCS]; // as they were dealt; place 0, that of the centre, stays empty
    u64 centre;
    u64 bag;              // running sums: field c counts the tiles of all colours up to c
    u64 lid;
    u64 random;
    int starter;
    Board boards[SEATS];
} Game;

typedef struct { long games, moves, rounds, points; } Totals;

static struct Move {
    u64 rest;     // mask of the other colours of a pile
    u64 stays;    // mask of the other lines of a set of lines
    u8 hue, line; // 8 * colour, and the line
} MOVES[COLOURS * PER_COLOUR];

// The moves of one colour, source by source: the k-th is to the line LINE_CODES[lines][k], from the source
// SOURCE_CODES[number of lines][sources][k]. A colour lies in five sources at most (when the centre has
// tiles, a disc is empty), so it has at most 30 moves.
static Block LINE_CODES[64], SOURCE_CODES[LINES + 2][64];
static u8 RUNS[32][5]; // AZ-21: for a mask of cells and one of them, the length of its run; 0 when alone

// ---- tables

static void make_codes(unsigned mask) {
    u8 members[6];
    unsigned number = 0;
    for (unsigned k = 0; k < 6; k++)
        if (mask >> k & 1) members[number++] = (u8)k;
    for (unsigned k = 0; k < sizeof(Block); k++) {
        LINE_CODES[mask][k] = (u8)(PER_LINE * members[k % number]);
        for (unsigned lines = 1; lines <= LINES + 1; lines++)
            if (k < lines * number) SOURCE_CODES[lines][mask][k] = members[k / lines];
    }
}

static u8 run(unsigned mask, int at) {
    int first = at, last = at;
    while (first > 0 && mask >> (first - 1) & 1) first--;
    while (last < 4 && mask >> (last + 1) & 1) last++;
    return (u8)(last > first ? last - first + 1 : 0);
}

static void make_tables(void) {
    for (unsigned mask = 1; mask < 64; mask++) make_codes(mask);
    for (unsigned mask = 0; mask < 32; mask++)
        for (int at = 0; at < 5; at++) RUNS[mask][at] = run(mask, at);
    for (unsigned code = 0; code < COLOURS * PER_COLOUR; code++) {
        unsigned hue = code / PER_COLOUR * 8, line = code % PER_COLOUR / PER_LINE;
        u64 stays = ~(EACH << line) | EACH << FLOOR; // AZ-17: the floor is always open
        MOVES[code] = (struct Move){ALL & ~(0xffull << hue), stays, (u8)hue, (u8)line};
    }
}

// ---- randomness

#define MULTIPLIER 2131995753u

static inline u64 below(Game *game, u64 bound) { // multiply-with-carry
    u64 low = game->random & 0xffffffff, carry = game->random >> 32;
    game->random = MULTIPLIER * low + carry;
    return (low ^ carry) * bound >> 32;
}

static u64 state_of(u64 seed, u64 number) { // splitmix64, reduced to the states of the generator
    u64 z = seed * 0xd1342543de82ef95u + (number + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % (((u64)MULTIPLIER << 32) - 2) + 1;
}

// ---- A. the factory offer

static inline u64 colours_in(u64 pile) { return (pile + 0x7f * EACH) >> 7 & EACH; }
static inline u64 sums_of(u64 pile) { return pile * EACH & ALL; }
static inline u64 size_of(u64 sums) { return sums >> 8 * (COLOURS - 1); }

// One tile from the bag, every tile with the same probability. As running sums: 1 from its colour on.
static inline u64 draw(Game *game, u64 left) {
    u64 at = below(game, left);
    u64 drawn = ~(at * EACH + TOPS - game->bag) >> 7 & EACH; // the fields whose sum is above `at`
    game->bag -= drawn;
    return drawn;
}

// AZ-10, AZ-32: four tiles per disc; an empty bag is filled from the lid. Returns whether a tile was dealt.
static int deal(Game *game) {
    u64 left = size_of(game->bag);
    game->sources = 0;
    game->centre = 1ull << MARKER_AT;
    for (int disc = 1; disc <= DISCS; disc++) {
        u64 sums = 0;
        for (int tile = 0; tile < DISC_TILES; tile++) {
            if (left == 0) {
                game->bag = sums_of(game->lid);
                game->lid = 0;
                left = size_of(game->bag);
                if (left == 0) break;
            }
            sums += draw(game, left--);
        }
        game->discs[disc] = (sums - (sums << 8)) & ALL;
        game->sources |= colours_in(game->discs[disc]) << disc;
    }
    return game->sources != 0;
}

// AZ-12 to AZ-17: writes all legal moves and returns their number. Each colour writes a whole block; the
// surplus lies after its moves and is overwritten by the next colour.
static inline unsigned list_moves(u64 sources, u64 open, u8 *moves) {
    unsigned number = 0;
    for (unsigned colour = 0; colour < COLOURS; colour++) {
        u64 held = sources >> 8 * colour & 0x3f, lines = open >> 8 * colour & 0x3f;
        unsigned choices = (unsigned)__builtin_popcountll(lines);
        Block codes = LINE_CODES[lines] + SOURCE_CODES[choices][held] + (u8)(PER_COLOUR * colour);
        memcpy(moves + number, &codes, sizeof codes);
        number += choices * (unsigned)__builtin_popcountll(held);
    }
    return number;
}

// AZ-17: puts `number` equal tiles on the leftmost free spaces. Returns the number of tiles without a space.
static inline int lay_on_floor(Board *board, unsigned thing, int number) {
    int taken = board->taken, laid = number < SPACES - taken ? number : SPACES - taken;
    board->floor |= (thing * 01111111u & ((1u << 3 * laid) - 1)) << 3 * taken;
    board->taken = taken + laid;
    return number - laid;
}

// AZ-12 to AZ-18: plays a move, without branches. The floor is a line without space: tiles put there fall.
static inline void play(Game *game, Board *board, u8 code) {
    const struct Move *move = &MOVES[code];
    unsigned source = code % PER_LINE, hue = move->hue, line = move->line;
    u64 at_centre = -(u64)(source == CENTRE);
    u64 pile = game->discs[source] | (game->centre & at_centre), rest = pile & move->rest;
    game->centre = (game->centre & ~at_centre) + rest;
    game->sources = (game->sources & ~(EACH << source)) | colours_in(rest);

    int spare = board->room[line] - (int)(pile >> hue & 0xff);
    int room = spare > 0 ? spare : 0, fallen = room - spare;
    board->room[line] = (u8)room;
    board->hue[line] = (u8)hue;
    board->open = (board->open & move->stays) | (u64)(spare > 0) << (hue + line); // AZ-15
    int marker = (int)(pile >> MARKER_AT);
    board->marker |= marker;
    lay_on_floor(board, MARKER_CODE, marker);                          // AZ-13
    game->lid += (u64)lay_on_floor(board, hue / 8 + 1, fallen) << hue; // AZ-18
}

// AZ-11, AZ-19: the players take turns until no tile is left. Returns the number of turns.
static int offer(Game *game) {
    _Alignas(64) u8 moves[MAX_MOVES + sizeof(Block)];
    Board *mover = &game->boards[game->starter];
    int turns = 0;
    for (; game->sources != 0; turns++) {
        unsigned number = list_moves(game->sources, mover->open, moves);
        play(game, mover, moves[below(game, number)]);
        mover = &game->boards[mover == game->boards];
    }
    if (game->centre == 0) game->starter = game->boards[1].marker; // AZ-31: the marker is taken
    return turns;
}

// ---- B. wall tiling

// AZ-20, AZ-21: a full line: one tile to the wall, the others to the lid. Returns whether the row is complete.
static inline int tile_line(Game *game, Board *board, unsigned line) {
    unsigned hue = board->hue[line], column = (hue / 8 + line) % 5; // AZ-6
    u8 across = board->rows[line] |= (u8)(1u << column);
    u8 down = board->columns[column] |= (u8)(1u << line);
    int points = RUNS[across][column] + RUNS[down][line];
    board->score += points > 0 ? points : 1;
    board->room[line] = (u8)(line + 1);
    board->shown |= 1ull << (hue + line);
    board->open |= EACH << line & ~board->shown; // AZ-16
    game->lid += (u64)line << hue;
    return across == 0x1f;
}

// AZ-20 to AZ-23: the full lines top to bottom, then the floor line. Returns whether a row is complete.
static inline int tile_wall(Game *game, Board *board) {
    static const u64 PILE_OF[8] = {0, 1, 1 << 8, 1 << 16, 1 << 24, 1ull << 32, 0, 0}; // of what lies on a space
    static const u8 PENALTY[] = {0, 1, 2, 4, 6, 8, 11, 14};
    int complete = 0;
    u64 rooms;
    memcpy(&rooms, board->room, sizeof rooms);
    for (u64 full = (TOPS - (rooms & ALL)) & TOPS; full != 0; full &= full - 1)
        complete |= tile_line(game, board, (unsigned)__builtin_ctzll(full) / 8);
    int score = board->score - PENALTY[board->taken];
    for (int space = 0; space < SPACES; space++) game->lid += PILE_OF[board->floor >> 3 * space & 7];
    board->floor = 0;
    board->taken = board->marker = 0;
    board->score = score > 0 ? score : 0;
    return complete;
}

// ---- C. from round to round, and the end

static void set_up(Game *game, u64 state) { // AZ-2 to AZ-4
    memset(game, 0, sizeof *game);
    game->random = state;
    game->bag = sums_of(20 * EACH);
    for (int seat = 0; seat < SEATS; seat++) {
        game->boards[seat].open = 0x3f * EACH;
        for (int line = 0; line < LINES; line++) game->boards[seat].room[line] = (u8)(line + 1);
    }
}

static int bonus(const Board *board) { // AZ-40
    int total = 0;
    for (int k = 0; k < 5; k++)
        total += 2 * (board->rows[k] == 0x1f) + 7 * (board->columns[k] == 0x1f)
                 + 10 * ((board->shown >> 8 * k & 0xff) == 0x1f);
    return total;
}

static void play_game(u64 state, Totals *totals) {
    Game game;
    int complete = 0;
    set_up(&game, state);
    while (!complete && deal(&game)) { // AZ-30, AZ-33
        totals->moves += offer(&game);
        totals->rounds++;
        for (int seat = 0; seat < SEATS; seat++) complete |= tile_wall(&game, &game.boards[seat]);
    }
    for (int k = 0; k < SEATS; k++) totals->points += game.boards[k].score + bonus(&game.boards[k]);
    totals->games++;
}

int main(int count, char **words) {
    if (count != 3) return fputs("usage: limit GAMES SEED\n", stderr), 2;
    u64 games = strtoull(words[1], NULL, 10), seed = strtoull(words[2], NULL, 10);
    Totals totals = {0, 0, 0, 0};
    make_tables();
    clock_t began = clock();
    for (u64 number = 0; number < games; number++) play_game(state_of(seed, number), &totals);
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    printf("{\"games\": %ld, \"moves\": %ld, \"rounds\": %ld, \"points\": %ld, \"seconds\": %.6f}\n",
           totals.games, totals.moves, totals.rounds, totals.points, seconds);
    return 0;
}
