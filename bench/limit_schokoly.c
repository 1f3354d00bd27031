// How fast one core can play random games of Schokoly: two players, classic set of 36 cards.
//
// Every decision comes from a generated list: all legal moves are written into an array, one of them is picked
// with equal odds, and it is played. Ids such as SC-20 are those of the project's text of the rules.
//
//     gcc -std=c11 -O3 -march=native limit_schokoly.c -o limit_schokoly && ./limit_schokoly GAMES SEED
//
// Each decision of a seat is a move: a kind, a card placed, a token put or not, a pass. After every one of them the
// whole position is there. It prints what was played, the processor's seconds, and means to compare other programs
// with. Needs gcc or clang.
//
// Cells and spots (a spot is where a card may lie, named by its top left cell) are plain arrays, wide enough for a
// string of 36 cards in any direction. A new card changes 21 spots and no others, so each spot knows at any time
// which cards fit there, and in which turn; those that are worth a look stand in a list.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint64_t u64;
typedef int32_t Block __attribute__((vector_size(32)));
typedef u64 Four __attribute__((vector_size(32)));
typedef u8 Bytes __attribute__((vector_size(32)));

enum { SEATS = 2, HAND = 4, TOKENS = 6, KINDS = 3, PATTERNS = 12, COPIES = 3, CARDS = PATTERNS * COPIES };
enum { LEAST = 6 };           // SC-44: pieces of a neutral group that counts
enum { LAID = 4 * PATTERNS }; // a card and how it lies: 4 * pattern + quarters of a turn (SC-1)
enum { TL, TR, BR, BL };      // the corners of a card, clockwise

// SC-2: the pieces of each card, clockwise from the top left.
static const char NAMES[PATTERNS][5] = {"DDDM", "DDDW", "MMMD", "MMMW", "WWWD", "WWWM",
                                        "DDMM", "DDWW", "MMWW", "DDMW", "MMWD", "WWDM"};

// Each card widens the table by at most two cells (SC-20), so none begins further than 70 from the first one.
enum { REACH = 75, DOWN = 2 * REACH + 2, MIDDLE = REACH * DOWN + REACH, AREA = 2 * MIDDLE + 16 };

// A spot, from the lowest bit on: whether nothing may be stacked here any more; how many of its cells are filled;
// whether it is open, with no cell filled; for each laid card whether one of its pieces would touch its own kind
// (SC-21); 6 + the number of edges to lying pieces, so that one bit tells whether there are two (SC-20). A closed
// spot loses its fits and gets that bit. The highest four bits stay empty.
#define DEAD 1ull
#define FILLED 2ull
#define FULL (4 * FILLED)
#define OPEN ((u64)sizeof(Block)) // how far the list of spots goes on after one that stays in it
enum { FITS_AT = 6, EDGES_AT = FITS_AT + LAID, NOTHING_AT = 60 };
#define FITS (((1ull << LAID) - 1) << FITS_AT)
#define EDGE (1ull << EDGES_AT)
#define READY (8 * EDGE)
#define CLOSED (24 * EDGE)
#define UNTOUCHED (6 * EDGE | OPEN)

// A move is a kind, PASS, NO_TOKEN, the number of the card that gets a token, or, for a card to place:
// laid card << 16 | whether on the second level << 15 | spot.
enum { PASS = -1, NO_TOKEN = -2, LAID_AT = 16, SECOND = 1 << 15, SPOT = SECOND - 1 };

// A ready spot has two of the at most eight outer edges of each card, and an edge serves two spots. A spot to stack
// on begins on a first-level piece. Each has at most 16 moves. The rest is room for what is written too much.
enum { MOST_SPOTS = 8 * CARDS, MOST_TOPS = 4 * CARDS, MOST_MOVES = 16 * (MOST_SPOTS + MOST_TOPS) + 16 };

typedef struct {
    u64 spots[AREA];
    u8 cells[AREA];                  // the piece on top: kind << 6 | its card; 0: empty
    Block ready[2][MOST_SPOTS + 16]; // spots for the first level, each in all lanes; the two lists take turns
    unsigned tops[MOST_TOPS + 16];   // spots for the second level
    unsigned which, readies, number_of_tops;
    unsigned cards;                  // on the table; and for each of them:
    u16 places[CARDS];
    u8 laid[CARDS], shown[CARDS];    // how it lies, and how many of its pieces are seen
    u64 free, cut;                   // first-level cards that may get a token (SC-35), and partly covered ones
    u64 hands[SEATS];                // for each pattern how many, four bits each
    int held[SEATS], tokens[SEATS];
    int kinds[SEATS];                // 1, 2 or 3; 0 before the choice
    u8 stack[CARDS];                 // the patterns of the cards left, in no order
    unsigned left;
    u64 random;
} Game;

typedef struct { unsigned shift[4]; Block base[2], twin[2]; } Held; // up to four patterns, as two pairs
typedef struct { int points[SEATS], winner; } Result;
typedef struct { long games, moves, lists, first, second, stacked, passes, points[SEATS], wins[SEATS]; } Totals;

static const int CORNER[4] = {0, 1, DOWN + 1, DOWN};

// The spots that a card touches from outside: the first four by two edges, the others by one.
static const int AROUND[12] = {-2 * DOWN, -2, 2, 2 * DOWN, -2 * DOWN - 1, -2 * DOWN + 1,
                               -DOWN - 2, -DOWN + 2, DOWN - 2, DOWN + 2, 2 * DOWN - 1, 2 * DOWN + 1};

// The cells around a spot, and the corner that each of them touches.
static const struct { int step, corner; } OUTER[8] = {
    {-DOWN, TL}, {-DOWN + 1, TR}, {2, TR}, {DOWN + 2, BR}, {2 * DOWN + 1, BR}, {2 * DOWN, BL}, {DOWN - 1, BL}, {-1, TL},
};

static u8 PIECES[LAID][4];         // the kind in each corner
static u8 NUMBERS[LAID][1 + KINDS]; // how many pieces of each kind
static u64 OFFSETS[LAID][1 + KINDS]; // where they are, 16 bits each
static u16 ROWS[LAID][2];          // the two upper and the two lower cells, for card 0
static u64 MATCHES[1 + KINDS][4];  // the laid cards with this kind in this corner, as the fits of a spot
static u64 BESIDE[LAID][12];       // what a laid card adds to the fits of the spots around it
static Block STEPS[12];            // AROUND, in all lanes

// CODES[mask] has the set bits of eight: the lower four are turns of the first pattern of a pair, the higher four
// turns of the second, and `twin` lets pass how much more the second is.
static Block CODES[256], BASES[64], TWINS[64];

// ---- tables

static u64 fits_beside(unsigned laid, int step) {
    u64 fits = 0;
    for (int k = 0; k < 8; k++)
        for (int c = 0; c < 4; c++)
            if (step + OUTER[k].step == CORNER[c]) fits |= MATCHES[PIECES[laid][c]][OUTER[k].corner];
    return fits;
}

static void make_tables(void) {
    for (unsigned laid = 0; laid < LAID; laid++)
        for (unsigned c = 0; c < 4; c++) {
            char name = NAMES[laid / 4][(c + 4 - laid % 4) % 4];
            unsigned kind = name == 'D' ? 1 : name == 'M' ? 2 : 3;
            PIECES[laid][c] = (u8)kind;
            OFFSETS[laid][kind] |= (u64)CORNER[c] << 16 * NUMBERS[laid][kind]++;
            MATCHES[kind][c] |= 1ull << (laid + FITS_AT);
        }
    for (unsigned laid = 0; laid < LAID; laid++) {
        const u8 *pieces = PIECES[laid];
        const u8 upper[2] = {(u8)(pieces[TL] << 6), (u8)(pieces[TR] << 6)};
        const u8 lower[2] = {(u8)(pieces[BL] << 6), (u8)(pieces[BR] << 6)};
        memcpy(&ROWS[laid][0], upper, sizeof upper);
        memcpy(&ROWS[laid][1], lower, sizeof lower);
        for (int k = 0; k < 12; k++) BESIDE[laid][k] = fits_beside(laid, AROUND[k]);
    }
    for (int k = 0; k < 12; k++) STEPS[k] = (Block){0} + AROUND[k];
    for (int k = 0; k < 64; k++) {
        BASES[k] = (Block){0} + (k << LAID_AT);
        TWINS[k] = (Block){0} + ((k | 3) << LAID_AT);
    }
    for (int mask = 0; mask < 256; mask++)
        for (int bit = 0, number = 0; bit < 8; bit++)
            if (mask >> bit & 1) CODES[mask][number++] = (bit < 4 ? bit : bit % 4 - 4) * (1 << LAID_AT);
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

// ---- A. what may be done

// The different patterns of a hand. For a pattern that is missing, the bits of a spot that stay empty are looked at.
static inline Held pairs_of(u64 hand) {
    u64 some = (hand | hand >> 1) & 0x111111111111u; // at most three of each
    unsigned laid[4];
    for (int k = 0; k < 4; k++) {
        laid[k] = (unsigned)__builtin_ctzll(some | 1ull << (NOTHING_AT - FITS_AT));
        some &= some - 1;
    }
    return (Held){{laid[0] + FITS_AT - 5, laid[1] + FITS_AT - 9, laid[2] + FITS_AT - 5, laid[3] + FITS_AT - 9},
                  {BASES[laid[0]], BASES[laid[2]]},
                  {TWINS[laid[1] - laid[0]], TWINS[laid[3] - laid[2]]}};
}

// Writes the moves of one pair of patterns to a spot and returns the end of the list. Always a whole block: what is
// too much of it lies behind the moves, where the next ones go. `at` is 32, the size of a block, times the mask.
static inline int32_t *list_pair(const Held *held, int pair, u64 fits, Block spot, int32_t *moves) {
    u64 at = (fits >> held->shift[2 * pair] & 15 << 5) | (fits >> held->shift[2 * pair + 1] & 15 << 9);
    Block codes = (*(const Block *)((const char *)CODES + at) & held->twin[pair]) + (held->base[pair] + spot);
    memcpy(moves, &codes, sizeof codes);
    return moves + __builtin_popcountll(at);
}

// SC-20 to SC-23. A spot that was closed since the last list has no fits and leaves the list of spots.
// A function of its own, because its loop needs every register there is.
static __attribute__((noinline)) int32_t *list_first_level(Game *game, u64 hand, int32_t *restrict moves) {
    Held held = pairs_of(hand);
    const Block *spot = game->ready[game->which], *last = spot + game->readies;
    game->which ^= 1;
    char *kept = (char *)game->ready[game->which];
    for (; spot < last; spot++) {
        Block all = *spot;
        u64 fits = game->spots[(unsigned)(*spot)[0]];
        *(Block *)kept = all;
        kept += fits & OPEN;
        moves = list_pair(&held, 0, fits, all, moves);
        moves = list_pair(&held, 1, fits, all, moves);
    }
    game->readies = (unsigned)((Block *)kept - game->ready[game->which]);
    return moves;
}

static inline u64 fits_of(const u8 *cell) { // from what is seen around a spot
    u64 fits = 0;
    for (int k = 0; k < 8; k++) fits |= MATCHES[cell[OUTER[k].step] >> 6][OUTER[k].corner];
    return fits;
}

// SC-31, SC-32. There are few such spots, so their fits are not kept.
static inline int32_t *list_second_level(Game *game, u64 hand, int32_t *moves) {
    Held held = pairs_of(hand);
    unsigned kept = 0;
    for (unsigned k = 0; k < game->number_of_tops; k++) {
        unsigned at = game->tops[k];
        if (game->spots[at] & DEAD) continue;
        game->tops[kept++] = at;
        u64 fits = fits_of(game->cells + at);
        Block spot = (Block){0} + (int32_t)(at | SECOND);
        moves = list_pair(&held, 0, fits, spot, moves);
        moves = list_pair(&held, 1, fits, spot, moves);
    }
    game->number_of_tops = kept;
    return moves;
}

static inline unsigned list_tokens(const Game *game, int32_t *moves) { // SC-35
    unsigned number = 0;
    moves[number++] = NO_TOKEN;
    for (unsigned first = 0; first < game->cards; first += 8) {
        u64 some = game->free >> first & 0xff;
        Block codes = (CODES[some] >> LAID_AT & 7) + (int32_t)first;
        memcpy(moves + number, &codes, sizeof codes);
        number += (unsigned)__builtin_popcountll(some);
    }
    return number;
}

static inline unsigned list_kinds(const Game *game, int seat, int32_t *moves) { // SC-12, SC-13
    unsigned number = 0;
    for (int kind = 1; kind <= KINDS; kind++)
        if (kind != game->kinds[1 - seat]) moves[number++] = kind;
    return number;
}

// ---- B. doing it

static inline Four load(const u64 *from) {
    Four four;
    memcpy(&four, from, sizeof four);
    return four;
}

static inline void store(u64 *to, Four four) { memcpy(to, &four, sizeof four); }

// A card fills cells of nine spots. While there are tokens, a spot whose four cells are filled by several cards is
// one to stack on, unless a token forbids it. Afterwards all that matters is that it is closed.
static inline void close_spots(Game *game, unsigned at, int stacking) {
    static const Four fill[3] = {{FILLED, 2 * FILLED, FILLED, 0},
                                 {2 * FILLED, FULL + DEAD, 2 * FILLED, 0},
                                 {FILLED, 2 * FILLED, FILLED, 0}};
    const Four keep = {~(FITS | OPEN), ~(FITS | OPEN), ~(FITS | OPEN), ~0ull}, closed = {CLOSED, CLOSED, CLOSED, 0};
    u64 *spot = game->spots + at;
    if (!stacking) {
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) spot[y * DOWN + x] = CLOSED;
        return;
    }
    unsigned number = game->number_of_tops;
    for (int y = -1; y <= 1; y++) {
        u64 *row = spot + y * DOWN - 1;
        store(row, ((load(row) & keep) | closed) + fill[y + 1]);
        for (int x = 0; x < 3; x++) {
            game->tops[number] = at + (unsigned)(y * DOWN + x - 1);
            number += (row[x] & (FULL | DEAD)) == FULL;
        }
    }
    game->number_of_tops = number;
}

static inline unsigned add_card(Game *game, unsigned laid, unsigned at) {
    unsigned card = game->cards++;
    game->places[card] = (u16)at;
    game->laid[card] = (u8)laid;
    game->shown[card] = 4;
    return card;
}

static inline void lay_first_level(Game *game, unsigned laid, unsigned at, int stacking) {
    unsigned card = add_card(game, laid, at);
    game->free |= 1ull << card;
    for (int y = 0; y < 2; y++) {
        u16 two = (u16)(ROWS[laid][y] + card * 0x101);
        memcpy(game->cells + at + y * DOWN, &two, sizeof two);
    }
    close_spots(game, at, stacking);
    u64 *spot = game->spots + at;
    Block *ready = game->ready[game->which], here = (Block){0} + (int32_t)at;
    char *end = (char *)(ready + game->readies);
    for (int k = 0; k < 12; k++) {
        u64 before = spot[AROUND[k]], after = (before | BESIDE[laid][k]) + (k < 4 ? 2 * EDGE : EDGE);
        spot[AROUND[k]] = after;
        *(Block *)end = here + STEPS[k];
        end += (after & ~before) / (READY / sizeof(Block)) & sizeof(Block);
    }
    game->readies = (unsigned)((Block *)end - ready);
}

static inline void guard(Game *game, unsigned at) { // none of the nine spots with cells of this card
    const Four dead = {DEAD, DEAD, DEAD, 0};
    for (int y = -1; y <= 1; y++) {
        u64 *row = game->spots + at + y * DOWN - 1;
        store(row, load(row) | dead);
    }
}

static inline void put_token(Game *game, unsigned card) { // SC-35
    game->free &= ~(1ull << card);
    guard(game, game->places[card]);
}

static void lay_second_level(Game *game, unsigned laid, unsigned at) { // SC-31, SC-33, SC-34
    unsigned card = add_card(game, laid, at);
    u64 *spot = game->spots + at;
    u8 *cell = game->cells + at;
    for (int c = 0; c < 4; c++) {
        unsigned below = cell[CORNER[c]] & 63;
        game->cut |= 1ull << below;
        if (--game->shown[below] == 0) game->free &= ~(1ull << below);
        cell[CORNER[c]] = (u8)(PIECES[laid][c] << 6 | card);
    }
    guard(game, at);
    for (int k = 0; k < 12; k++) spot[AROUND[k]] = (spot[AROUND[k]] & ~FITS) | fits_of(cell + AROUND[k]);
}

// ---- C. groups and points

// The pieces of one kind on a card hang together (SC-2), so they are one node, named as its cells are: kind << 6 |
// card. Only on a card that is partly covered they may not; then one of them gets a name of its own. Its neighbours
// on the same card are no longer itself, so they are noted as pairs too.
static unsigned split(Game *game, unsigned card, unsigned names, u16 *pairs, unsigned *number) {
    u8 *cell[4];
    for (int c = 0; c < 4; c++) cell[c] = game->cells + game->places[card] + CORNER[c];
    for (int c = 0; c < 2; c++) {
        u8 node = *cell[c];
        if ((node & 63) == card && *cell[c + 2] == node && *cell[c + 1] != node && *cell[(c + 3) % 4] != node)
            *cell[c] = (u8)((node & 192) | names++);
    }
    for (int c = 0; c < 4; c++) {
        unsigned a = *cell[c], b = *cell[(c + 1) % 4];
        if ((a ^ b) < 64) pairs[(*number)++] = (u16)(a | b << 8);
    }
    return names;
}

static inline int is_shown(unsigned cell, unsigned card) { return (cell & 63) == card || (cell & 63) >= CARDS; }

// SC-42: finds the nodes that touch and gives all nodes of a group the same label.
static inline void label(Game *game, u8 *labels) {
    static const int FROM[4] = {1, DOWN + 1, DOWN, DOWN + 1}, TO[4] = {2, DOWN + 2, 2 * DOWN, 2 * DOWN + 1};
    u16 pairs[8 * CARDS];
    unsigned number = 0, names = CARDS;
    for (u64 some = game->cut; some != 0; some &= some - 1)
        names = split(game, (unsigned)__builtin_ctzll(some), names, pairs, &number);
    for (unsigned card = 0; card < game->cards; card++) {
        const u8 *cell = game->cells + game->places[card];
        for (int k = 0; k < 4; k++) {
            unsigned a = cell[FROM[k]], b = cell[TO[k]];
            pairs[number] = (u16)(a | b << 8);
            number += (a ^ b) - 1 < 63; // of one kind, and two nodes
        }
    }
    for (unsigned k = 0; k < 256; k++) labels[k] = (u8)k;
    for (unsigned k = 0; k < number; k++) {
        unsigned a = pairs[k] & 255, b = pairs[k] >> 8;
        Bytes *all = (Bytes *)(labels + (a & 192)); // of this kind
        Bytes old = (Bytes){0} + labels[b], change = (Bytes){0} + (u8)(labels[a] - labels[b]);
        for (int half = 0; half < 2; half++) all[half] += (Bytes)(all[half] == old) & change;
    }
}

static inline void count_pieces(const Game *game, u64 whole, const u8 *labels, u8 *sizes) {
    for (u64 some = whole; some != 0; some &= some - 1) {
        unsigned card = (unsigned)__builtin_ctzll(some);
        for (unsigned kind = 1; kind <= KINDS; kind++) {
            u8 *size = sizes + labels[kind << 6 | card];
            *size = (u8)(*size + NUMBERS[game->laid[card]][kind]);
        }
    }
    for (u64 some = game->cut; some != 0; some &= some - 1) {
        unsigned card = (unsigned)__builtin_ctzll(some);
        for (int c = 0; c < 4; c++) {
            unsigned cell = game->cells[game->places[card] + CORNER[c]];
            if (is_shown(cell, card)) sizes[labels[cell]]++;
        }
    }
}

// SC-44: for each label of the neutral kind how many more edges there are to the first side than to the second.
static inline void weigh_edges(const Game *game, u64 whole, unsigned neutral, const u8 *labels, int8_t *more) {
    u16 where[4 * CARDS + 4]; // the neutral pieces
    unsigned number = 0;
    for (u64 some = whole; some != 0; some &= some - 1) {
        unsigned card = (unsigned)__builtin_ctzll(some), laid = game->laid[card];
        u64 four = game->places[card] * 0x1000100010001u + OFFSETS[laid][neutral];
        for (int k = 0; k < 4; k++) where[number + (unsigned)k] = (u16)(four >> 16 * k);
        number += NUMBERS[laid][neutral];
    }
    for (u64 some = game->cut; some != 0; some &= some - 1) {
        unsigned card = (unsigned)__builtin_ctzll(some);
        for (int c = 0; c < 4; c++) {
            unsigned at = game->places[card] + (unsigned)CORNER[c], cell = game->cells[at];
            where[number] = (u16)at;
            number += is_shown(cell, card) && cell >> 6 == neutral;
        }
    }
    int8_t side[1 + KINDS] = {0};
    side[game->kinds[0]] = 1;
    side[game->kinds[1]] = -1;
    for (unsigned k = 0; k < number; k++) {
        const u8 *cell = game->cells + where[k];
        int edges = side[cell[1] >> 6] + side[cell[-1] >> 6] + side[cell[DOWN] >> 6] + side[cell[-DOWN] >> 6];
        int8_t *sum = more + (labels[*cell] & 63);
        *sum = (int8_t)(*sum + edges);
    }
}

static inline int largest(const u8 *sizes) {
    u8 size = 0;
    for (int k = 0; k < 64; k++) size = sizes[k] > size ? sizes[k] : size;
    return size;
}

static int break_tie(const u8 *ours, const u8 *theirs) { // SC-47: from the second largest groups on
    int more[256] = {0};
    for (int k = 0; k < 64; k++) {
        more[ours[k]]++;
        more[theirs[k]]--;
    }
    more[largest(ours)]--;
    more[largest(theirs)]++;
    for (int size = 255; size > 0; size--)
        if (more[size] != 0) return more[size] > 0 ? 0 : 1;
    return -1;
}

static Result score(Game *game) { // at the end: it renames pieces
    _Alignas(32) u8 labels[256];
    u8 sizes[256] = {0};
    int8_t more[64] = {0};
    u64 whole = ((1ull << game->cards) - 1) & ~game->cut;
    unsigned neutral = (unsigned)(1 + 2 + 3 - game->kinds[0] - game->kinds[1]);
    label(game, labels);
    count_pieces(game, whole, labels, sizes);
    const u8 *ours = sizes + 64 * game->kinds[0], *theirs = sizes + 64 * game->kinds[1], *others = sizes + 64 * neutral;
    Result result = {{largest(ours), largest(theirs)}, -1}; // SC-43
    if (largest(others) >= LEAST) {
        weigh_edges(game, whole, neutral, labels, more);
        for (int k = 0; k < 64; k++) {
            if (others[k] < LEAST) continue;
            if (more[k] > 0) result.points[0] += others[k];
            if (more[k] < 0) result.points[1] += others[k];
        }
    }
    result.winner = result.points[0] > result.points[1] ? 0 : result.points[0] < result.points[1] ? 1 : break_tie(ours, theirs);
    return result;
}

// ---- D. from turn to turn, and the end

static inline void draw(Game *game, int seat) {
    u64 at = below(game, game->left);
    unsigned pattern = game->stack[at];
    game->stack[at] = game->stack[--game->left];
    game->hands[seat] += 1ull << 4 * pattern;
    game->held[seat]++;
}

static void set_up(Game *game, u64 state) { // on a clean table
    game->random = state;
    game->left = CARDS;
    for (int k = 0; k < CARDS; k++) game->stack[k] = (u8)(k / COPIES);
    game->cards = game->which = game->number_of_tops = 0;
    game->free = game->cut = 0;
    game->readies = 1; // SC-12: here, and without a condition
    game->ready[0][0] = (Block){0} + MIDDLE;
    game->spots[MIDDLE] |= FITS | READY;
    for (int seat = 0; seat < SEATS; seat++) {
        game->hands[seat] = 0;
        game->held[seat] = game->kinds[seat] = 0;
        game->tokens[seat] = TOKENS;
    }
    for (int seat = 0; seat < SEATS; seat++) // SC-11
        for (int k = 0; k < HAND; k++) draw(game, seat);
}

static void clean(Game *game) { // what was touched, a little more at the right
    int top = REACH, bottom = REACH, left = REACH, right = REACH;
    for (unsigned card = 0; card < game->cards; card++) {
        int y = game->places[card] / DOWN, x = game->places[card] % DOWN;
        top = y < top ? y : top;
        bottom = y > bottom ? y : bottom;
        left = x < left ? x : left;
        right = x > right ? x : right;
    }
    for (int y = top - 2; y <= bottom + 2; y++)
        for (int at = y * DOWN + left - 2, end = y * DOWN + right + 2; at <= end; at += 8) {
            for (int k = 0; k < 8; k++) game->spots[at + k] = UNTOUCHED;
            memset(game->cells + at, 0, 8);
        }
}

// Picks one of the moves and plays it, and if it is a card on the first level, one about the token.
// Returns whether the seat passed.
static inline int place(Game *game, int seat, Totals *totals) {
    static int32_t moves[MOST_MOVES];
    int32_t *end = list_first_level(game, game->hands[seat], moves);
    totals->first += end - moves;
    if (end == moves) *end++ = PASS; // SC-41
    if (game->tokens[seat] > 0) {
        int32_t *middle = end;
        end = list_second_level(game, game->hands[seat], middle);
        totals->second += end - middle;
    }
    totals->lists++;
    totals->moves++;
    int32_t move = moves[below(game, (u64)(end - moves))];
    if (move == PASS) return 1;
    unsigned laid = (unsigned)move >> LAID_AT, at = (unsigned)move & SPOT;
    game->hands[seat] -= 1ull << (laid & ~3u);
    game->held[seat]--;
    if (move & SECOND) {
        lay_second_level(game, laid, at);
        game->tokens[seat]--;
        totals->stacked++;
        return 0;
    }
    lay_first_level(game, laid, at, game->tokens[0] + game->tokens[1]);
    if (game->tokens[seat] > 0 && game->held[0] + game->held[1] + (int)game->left > 0) {
        int32_t card = moves[below(game, list_tokens(game, moves))];
        totals->moves++;
        if (card != NO_TOKEN) {
            put_token(game, (unsigned)card);
            game->tokens[seat]--;
        }
    }
    return 0;
}

static void play_game(Game *game, u64 state, Totals *totals) {
    int passes = 0;
    set_up(game, state);
    for (int seat = 0; passes < SEATS && game->held[0] + game->held[1] > 0; seat = 1 - seat) { // SC-40, SC-41
        if (game->kinds[seat] == 0) {
            int32_t kinds[KINDS];
            game->kinds[seat] = kinds[below(game, list_kinds(game, seat, kinds))];
            totals->moves++;
        }
        int passed = place(game, seat, totals);
        totals->passes += passed;
        passes = passed ? passes + 1 : 0;
        if (!passed && game->left > 0) draw(game, seat); // SC-14
    }
    Result result = score(game);
    for (int seat = 0; seat < SEATS; seat++) {
        totals->points[seat] += result.points[seat];
        totals->wins[seat] += result.winner == seat;
    }
    totals->games++;
    clean(game);
}

int main(int count, char **words) {
    if (count != 3) return fputs("usage: limit_schokoly GAMES SEED\n", stderr), 2;
    u64 games = strtoull(words[1], NULL, 10), seed = strtoull(words[2], NULL, 10);
    static Game game;
    Totals totals = {0};
    make_tables();
    for (int k = 0; k < AREA; k++) game.spots[k] = UNTOUCHED;
    clock_t began = clock();
    for (u64 number = 0; number < games; number++) play_game(&game, state_of(seed, number), &totals);
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC, all = (double)totals.games, lists = (double)totals.lists;
    printf("{\"games\": %ld, \"moves\": %ld, \"seconds\": %.6f,\n", totals.games, totals.moves, seconds);
    printf(" \"moves_a_game\": %.4f, \"first_level_a_list\": %.4f, \"second_level_a_list\": %.4f,\n",
           (double)totals.moves / all, (double)totals.first / lists, (double)totals.second / lists);
    printf(" \"second_level_cards_a_game\": %.4f, \"passes\": %ld, \"points\": [%.4f, %.4f], \"wins\": [%.5f, %.5f]}\n",
           (double)totals.stacked / all, totals.passes, (double)totals.points[0] / all, (double)totals.points[1] / all,
           (double)totals.wins[0] / all, (double)totals.wins[1] / all);
    return 0;
}
