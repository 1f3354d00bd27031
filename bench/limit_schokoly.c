// A hand-tuned program that plays random games of Schokoly: two players, classic set of 36 cards. It shows how fast
// one core can play if a position is a plain value (see below).
//
// For every decision all legal moves are written into an array, one of them is picked at random with equal
// probabilities, and it is played. Ids such as SC-20 refer to docs/rules/schokoly.md.
//
//     gcc -std=c11 -O3 -march=native limit_schokoly.c -o limit_schokoly && ./limit_schokoly GAMES SEED [unscored]
//
// Each decision of a seat is a move: a kind, a card, a token or none, a pass. After each of them the position is
// complete. The program prints statistics of the games and CPU seconds, and means for comparison with other programs.
// With the word `unscored`, games are played to the end but not scored. Needs gcc or clang.
//
// A position is one struct of at most 8,192 bytes without pointers, and a game uses no other memory. So it can be
// copied by a plain assignment after any move, as a search does for every node, and stored in arrays of thousands of
// games. It has space for a chain of 48 cards in any direction. A program with a larger struct can be faster, but is
// no fair comparison for such positions. A new game begins as a copy of an empty table.
//
// The table has no borders (SC-5), but a struct has a fixed size. Each card extends the table by at most two cells,
// width and height together (SC-20), so no two cells of a game are more than 100 steps apart. The array `plane`
// is rolled up so that only places at least 101 steps apart share a byte: place (x, y) is x + 101 * y, modulo 5101.
//
// A byte describes a cell and the spot that begins there (a spot is where a card may lie, named by its top left cell):
// the card on the cell; or that the spot is closed, because a card lies on another of its cells; or that no edge of the
// spot touches a piece on the table; or the only edge that does; or, if several do, so that the spot is ready for a
// card, the slot that says which cards fit there, in which rotations. A new card changes 21 spots and no others. Ready
// spots are listed in `ready`.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint64_t u64;
typedef int32_t Block __attribute__((vector_size(32)));
typedef u8 Bytes __attribute__((vector_size(32)));
typedef u8 Half __attribute__((vector_size(16)));

enum { SEATS = 2, HAND = 4, TOKENS = 6, KINDS = 3, PATTERNS = 12, COPIES = 3, CARDS = PATTERNS * COPIES };
enum { MAX_CARDS = 48 };      // cards that fit into the struct
enum { LEAST = 6 };           // SC-44: pieces of a neutral group that counts
enum { LAID = 4 * PATTERNS }; // a card and its rotation: 4 * pattern + quarter turns (SC-1)
enum { TL, TR, BR, BL };      // the corners of a card, clockwise

// SC-2: the pieces of each card, clockwise from the top left.
static const char NAMES[PATTERNS][5] = {"DDDM", "DDDW", "MMMD", "MMMW", "WWWD", "WWWM",
                                        "DDMM", "DDWW", "MMWW", "DDMW", "MMWD", "WWDM"};

enum { DOWN = 101, PLACES = 5101, MIDDLE = PLACES / 2 }; // one step down; a step to the right is 1
enum { SEAM = 4 * DOWN + 8 };                            // closer to either end of the plane, neighbours wrap around

// The values of a byte of the plane, see above. A single edge is 1 + 3 * corner + kind - 1. Higher numbers win: a
// closed spot stays closed, and a filled cell stays filled.
enum { UNTOUCHED, SINGLE, SLOT = 13, CLOSED = 207, FILLED = 208 };

// A slot, from the lowest bit on: the size of an entry of `ready`, or 0 if this is not a slot but the entry for another
// byte of the plane; for each laid card whether one of its pieces would touch its own kind (SC-21); four bits that stay
// empty; and, highest, whether it is a slot.
#define STAYS ((u64)sizeof(u16))
#define OPEN (1ull << 63 | STAYS)
enum { FITS_AT = 6, NOTHING_AT = 56 };
#define FITS (((1ull << LAID) - 1) << FITS_AT)

// A move is a kind, PASS, NO_TOKEN, the number of the card that gets a token, or, for a card to place:
// laid card << 16 | whether on the second level << 15 | spot.
enum { PASS = -1, NO_TOKEN = -2, LAID_AT = 16, SECOND = 1 << 15, SPOT = SECOND - 1 };

// A card has eight outer edges, and with each further card at least four of all of them vanish (SC-20). A ready spot
// has two edges, and an edge serves two spots. So 48 cards leave at most 196, and before the last one there are 192.
// A spot to stack on begins on a first-level piece, but not on the first one of its card. Each spot has at most 16
// moves. The rest is space for the surplus of whole blocks.
enum { MAX_SPOTS = CLOSED - SLOT, MAX_TOPS = 3 * MAX_CARDS, MAX_MOVES = 16 * (MAX_SPOTS + MAX_TOPS) + 16 };

typedef struct {
    u64 slots[256];               // for each byte of the plane; only those of ready spots ever change
    u64 free, guarded, cut;       // cards that may get a token (SC-35), that have one, that are partly covered
    u64 hands[SEATS];             // the number of cards of each pattern, four bits each
    u64 random;
    u16 places[MAX_CARDS];        // for each card on the table where it is,
    u8 laid[MAX_CARDS], shown[MAX_CARDS]; // its rotation, and the number of its visible pieces
    u16 ready[MAX_SPOTS + 1];     // spots for the first level, and those closed since the last list
    u16 tops[MAX_TOPS + 1];       // spots for the second level, and those guarded since then
    u16 readies, end;             // the length of `ready`; the first unused slot
    u8 number_of_tops, cards;     // the length of `tops`; the number of cards on the table
    u8 held[SEATS], tokens[SEATS];
    u8 kinds[SEATS];              // 1, 2 or 3; 0 before the choice
    u8 seat, asked, passes;       // whose turn it is, whether to decide about a token, passes in a row
    u8 wraps;                     // whether a card lies near an end of the plane
    u8 left, stack[MAX_CARDS];    // the patterns of the cards left, in no order
    u8 plane[PLACES];
} Game;
_Static_assert(sizeof(Game) <= 8192, "a position is a small value");

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

static u8 PIECES[LAID][4];           // the kind in each corner
static u8 KIND_AT[LAID][8];          // the same by the step from the first cell, of which three bits suffice
static u8 NUMBERS[LAID][1 + KINDS];  // the number of pieces of each kind
static u64 OFFSETS[LAID][1 + KINDS]; // where they are, 16 bits each
static u16 ROWS[LAID][2];            // the two upper and the two lower cells, for card 0
static u64 MATCHES[1 + KINDS][4];    // the laid cards with this kind in this corner, as the fits of a spot
static u64 BESIDE[LAID][12];         // what a laid card adds to the fits of the spots around it, and OPEN
static u8 EDGES[LAID][12];           // the byte of such a spot if that is its only edge
static Half CELLS[MAX_CARDS][2];     // what a card changes in the row above and in its own rows, from its left edge on
static Game FRESH;                   // the position before the deal

// CODES[mask] has the set bits of eight: the lower four are turns of the first pattern of a pair, the higher four
// turns of the second, and `twin` masks the difference of the second pattern.
static Block CODES[256], BASES[64], TWINS[64];

// ---- tables

static void look_beside(unsigned laid, int k) {
    for (int n = 0; n < 8; n++)
        for (int c = 0; c < 4; c++) {
            if (AROUND[k] + OUTER[n].step != CORNER[c]) continue;
            unsigned kind = PIECES[laid][c];
            int corner = OUTER[n].corner;
            BESIDE[laid][k] |= MATCHES[kind][corner] | OPEN;
            EDGES[laid][k] = (u8)(SINGLE + 3 * corner + (int)kind - 1);
        }
}

static void make_tables(void) {
    for (unsigned laid = 0; laid < LAID; laid++)
        for (unsigned c = 0; c < 4; c++) {
            char name = NAMES[laid / 4][(c + 4 - laid % 4) % 4];
            unsigned kind = name == 'D' ? 1 : name == 'M' ? 2 : 3;
            PIECES[laid][c] = KIND_AT[laid][CORNER[c] % 8] = (u8)kind;
            OFFSETS[laid][kind] |= (u64)CORNER[c] << 16 * NUMBERS[laid][kind]++;
            MATCHES[kind][c] |= 1ull << (laid + FITS_AT);
        }
    for (unsigned laid = 0; laid < LAID; laid++) {
        const u8 *pieces = PIECES[laid];
        const u8 upper[2] = {(u8)(pieces[TL] << 6), (u8)(pieces[TR] << 6)};
        const u8 lower[2] = {(u8)(pieces[BL] << 6), (u8)(pieces[BR] << 6)};
        memcpy(&ROWS[laid][0], upper, sizeof upper);
        memcpy(&ROWS[laid][1], lower, sizeof lower);
        for (int k = 0; k < 12; k++) look_beside(laid, k);
    }
    for (int card = 0; card < MAX_CARDS; card++) {
        CELLS[card][0] = (Half){CLOSED, CLOSED, CLOSED};
        CELLS[card][1] = (Half){CLOSED, (u8)(FILLED + card), (u8)(FILLED + card)};
    }
    for (int k = 0; k < 64; k++) {
        BASES[k] = (Block){0} + (k << LAID_AT);
        TWINS[k] = (Block){0} + ((k | 3) << LAID_AT);
    }
    for (int mask = 0; mask < 256; mask++)
        for (int bit = 0, number = 0; bit < 8; bit++)
            if (mask >> bit & 1) CODES[mask][number++] = (bit < 4 ? bit : bit % 4 - 4) * (1 << LAID_AT);
}

static void make_fresh(void) {
    for (int c = 0; c < 4; c++)
        for (int kind = 1; kind <= KINDS; kind++) FRESH.slots[SINGLE + 3 * c + kind - 1] = MATCHES[kind][c];
    FRESH.slots[SLOT] = FITS | OPEN; // SC-12: here, and without a condition
    FRESH.plane[MIDDLE] = SLOT;
    FRESH.end = SLOT + 1;
    FRESH.ready[0] = MIDDLE;
    FRESH.readies = 1;
    for (int seat = 0; seat < SEATS; seat++) FRESH.tokens[seat] = TOKENS;
    FRESH.left = CARDS;
    for (int k = 0; k < CARDS; k++) FRESH.stack[k] = (u8)(k / COPIES);
}

// ---- the plane

static inline unsigned go(unsigned at, int step, int wraps) { // without `wraps`: `at` is far from the ends of the plane
    int there = (int)at + step;
    if (wraps) {
        there += there < 0 ? PLACES : 0;
        there -= there >= PLACES ? PLACES : 0;
    }
    return (unsigned)there;
}

static inline int is_near_end(unsigned at) { return at - SEAM >= PLACES - 2 * SEAM; }

static inline unsigned kind_at(const Game *game, unsigned at, int wraps) { // the visible kind, 0 if there is none
    unsigned byte = game->plane[at], is_filled = -(unsigned)(byte >= FILLED), card = (byte - FILLED) & is_filled;
    return KIND_AT[game->laid[card]][go(at, -(int)game->places[card], wraps) % 8] & is_filled;
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

// ---- A. legal moves

// The different patterns of a hand. A missing pattern uses the bits of a spot that stay empty.
static inline Held pairs_of(u64 hand) {
    u64 some = (hand | hand >> 1 | hand >> 2) & 0x111111111111u; // at most four of each
    unsigned laid[4];
    for (int k = 0; k < 4; k++) {
        laid[k] = (unsigned)__builtin_ctzll(some | 1ull << (NOTHING_AT - FITS_AT));
        some &= some - 1;
    }
    return (Held){{laid[0] + FITS_AT - 5, laid[1] + FITS_AT - 9, laid[2] + FITS_AT - 5, laid[3] + FITS_AT - 9},
                  {BASES[laid[0]], BASES[laid[2]]},
                  {TWINS[laid[1] - laid[0]], TWINS[laid[3] - laid[2]]}};
}

// Writes the moves of one pair of patterns to a spot and returns the end of the list. Always writes a whole block: the
// surplus lies after the moves and is overwritten by the next ones. `at` is 32, the size of a block, times the mask.
static inline int32_t *list_pair(const Held *held, int pair, u64 fits, Block spot, int32_t *moves) {
    u64 at = (fits >> held->shift[2 * pair] & 15 << 5) | (fits >> held->shift[2 * pair + 1] & 15 << 9);
    Block codes = (*(const Block *)((const char *)CODES + at) & held->twin[pair]) + (held->base[pair] + spot);
    memcpy(moves, &codes, sizeof codes);
    return moves + __builtin_popcountll(at);
}

// SC-20 to SC-23. A spot that was closed since the last list no longer has a slot and is removed from the list of
// spots. A separate function, because its loop needs all registers.
static __attribute__((noinline)) int32_t *list_first_level(Game *game, u64 hand, int32_t *restrict moves) {
    Held held = pairs_of(hand);
    const u16 *spot = game->ready, *last = spot + game->readies;
    char *kept = (char *)game->ready;
    for (; spot < last; spot++) {
        u16 at = *spot;
        u64 fits = game->slots[game->plane[at]];
        Block all = (Block){0} + at;
        *(u16 *)kept = at;
        kept += fits & STAYS;
        moves = list_pair(&held, 0, fits, all, moves);
        moves = list_pair(&held, 1, fits, all, moves);
    }
    game->readies = (u16)((u16 *)kept - game->ready);
    return moves;
}

static inline u64 fits_around(const Game *game, unsigned at, int wraps) {
    u64 fits = 0;
    for (int k = 0; k < 8; k++) fits |= MATCHES[kind_at(game, go(at, OUTER[k].step, wraps), wraps)][OUTER[k].corner];
    return fits;
}

static u64 fits_of(const Game *game, unsigned at) { // from the visible pieces around a spot
    return is_near_end(at) ? fits_around(game, at, 1) : fits_around(game, at, 0);
}

static inline int is_guarded(const Game *game, unsigned at) { // SC-31: a spot whose four cells are filled
    u64 some = 0;
    for (int c = 0; c < 4; c++) some |= game->guarded >> (game->plane[go(at, CORNER[c], 1)] - FILLED);
    return some & 1;
}

// SC-31, SC-32. There are few such spots, so their fits are not stored.
static inline int32_t *list_second_level(Game *game, u64 hand, int32_t *moves) {
    if (game->number_of_tops == 0) return moves;
    Held held = pairs_of(hand);
    unsigned kept = 0;
    for (unsigned k = 0; k < game->number_of_tops; k++) {
        unsigned at = game->tops[k];
        if (is_guarded(game, at)) continue;
        game->tops[kept++] = (u16)at;
        u64 fits = fits_of(game, at);
        Block spot = (Block){0} + (int32_t)(at | SECOND);
        moves = list_pair(&held, 0, fits, spot, moves);
        moves = list_pair(&held, 1, fits, spot, moves);
    }
    game->number_of_tops = (u8)kept;
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

// ---- B. playing a move

static inline unsigned add_card(Game *game, unsigned laid, unsigned at) {
    unsigned card = game->cards++;
    game->places[card] = (u16)at;
    game->laid[card] = (u8)laid;
    game->shown[card] = 4;
    game->wraps |= (u8)is_near_end(at);
    return card;
}

static inline Half higher(Half a, Half b) {
    Half more = (Half)(a > b);
    return (a & more) | (b & ~more);
}

// A card fills four cells and closes nine spots, of which these are four.
static inline void fill_cells(Game *game, unsigned card, unsigned at, int wraps) {
    for (int y = -1; y <= 1; y++) {
        const Half *line = &CELLS[card][y >= 0];
        if (wraps) {
            for (int x = 0; x < 3; x++) {
                u8 *byte = game->plane + go(at, y * DOWN + x - 1, 1), other = (*line)[x];
                *byte = *byte > other ? *byte : other;
            }
        } else {
            u8 *from = game->plane + at + y * DOWN - 1;
            Half bytes;
            memcpy(&bytes, from, sizeof bytes);
            bytes = higher(bytes, *line);
            memcpy(from, &bytes, sizeof bytes);
        }
    }
}

// Four filled cells of a row with another one to their right: the highest bit of their bytes.
static inline uint32_t filled_pairs(const Game *game, unsigned at, int wraps) {
    uint32_t four = 0;
    if (wraps)
        for (int x = 0; x < 4; x++) four |= (uint32_t)game->plane[go(at, x, 1)] << 8 * x;
    else
        memcpy(&four, game->plane + at, sizeof four);
    four &= four << 1 & (four << 2 | four << 3) & 0x80808080u; // at least FILLED, which is 11010000
    return four & four >> 8;
}

// SC-31: while there are tokens, a spot whose four cells are filled by several cards can be stacked on, unless a
// token forbids it. Of the nine spots only the one in the middle has a single card.
static inline void find_tops(Game *game, unsigned at, int wraps) {
    uint32_t lines[4];
    for (int y = 0; y < 4; y++) lines[y] = filled_pairs(game, go(at, (y - 1) * DOWN - 1, wraps), wraps);
    uint32_t filled = (lines[0] & lines[1]) >> 2 | (lines[1] & lines[2] & 0xff00ffu) >> 1 | (lines[2] & lines[3]);
    unsigned number = game->number_of_tops;
    for (; filled != 0; filled &= filled - 1) { // bit 8 * x + y + 5
        int bit = __builtin_ctz(filled);
        unsigned top = go(at, (bit % 8 - 6) * DOWN + bit / 8 - 1, 1);
        game->tops[number] = (u16)top;
        number += !is_guarded(game, top);
    }
    game->number_of_tops = (u8)number;
}

// Gives the first slots to the ready spots again. Each ready spot takes a new slot, but few games use up all slots.
static __attribute__((noinline)) void renew_slots(Game *game) {
    u64 slots[MAX_SPOTS];
    unsigned number = 0;
    for (unsigned k = 0; k < game->readies; k++) {
        unsigned at = game->ready[k];
        u64 slot = game->slots[game->plane[at]];
        game->ready[number] = (u16)at;
        slots[number] = slot;
        number += (slot & OPEN) != 0;
    }
    for (unsigned k = 0; k < number; k++) {
        game->plane[game->ready[k]] = (u8)(SLOT + k);
        game->slots[SLOT + k] = slots[k];
    }
    game->readies = (u16)number;
    game->end = (u16)(SLOT + number);
}

static inline void look_around(const Game *game, u8 *bytes, unsigned at, int wraps) {
    for (int k = 0; k < 12; k++) bytes[k] = game->plane[go(at, AROUND[k], wraps)];
}

// The twelve spots around a new card. For a ready spot the fits are updated; one that becomes ready takes a
// slot; one with its first edge is marked. What is written for any other spot lies after the slots and the list.
static inline void touch_spots(Game *game, const u8 *bytes, unsigned laid, unsigned at, int wraps) {
    unsigned end = game->end;
    u16 *ready = game->ready + game->readies - end;
    const u64 *beside = BESIDE[laid];
    const u8 *edges = EDGES[laid];
#pragma GCC unroll 12
    for (int k = 0; k < 12; k++) {
        unsigned there = go(at, AROUND[k], wraps), byte = bytes[k], change = byte ^ end;
        u64 slot = game->slots[byte];
        unsigned is_new = k < 4 ? -(unsigned)(byte < SLOT) : -(unsigned)(byte - SINGLE < SLOT - SINGLE);
        game->slots[end ^ (change & (unsigned)((int64_t)slot >> 63))] = slot | beside[k];
        byte ^= change & is_new;
        if (k >= 4) byte |= edges[k] & (byte - 1) >> 8;
        game->plane[there] = (u8)byte;
        ready[end] = (u16)there;
        end -= is_new;
    }
    game->readies = (u16)(game->readies + end - game->end);
    game->end = (u16)end;
}

static inline void lay_beside(Game *game, unsigned laid, unsigned at, int stacking, int wraps) {
    unsigned card = add_card(game, laid, at);
    game->free |= 1ull << card;
    u8 bytes[12]; // read before anything is written nearby, which is faster
    look_around(game, bytes, at, wraps);
    fill_cells(game, card, at, wraps);
    if (stacking) find_tops(game, at, wraps);
    if (game->end + 12 >= CLOSED) {
        renew_slots(game);
        if (game->cards == MAX_CARDS) return; // there is no card left for any spot
        look_around(game, bytes, at, wraps);
    }
    touch_spots(game, bytes, laid, at, wraps);
}

static __attribute__((noinline)) void lay_near_end(Game *game, unsigned laid, unsigned at, int stacking) {
    lay_beside(game, laid, at, stacking, 1);
}

static inline void lay_first_level(Game *game, unsigned laid, unsigned at, int stacking) {
    if (is_near_end(at))
        lay_near_end(game, laid, at, stacking);
    else
        lay_beside(game, laid, at, stacking, 0);
}

static inline void put_token(Game *game, unsigned card) { // SC-35
    game->free &= ~(1ull << card);
    game->guarded |= 1ull << card;
}

static void lay_second_level(Game *game, unsigned laid, unsigned at) { // SC-31, SC-33, SC-34
    unsigned card = add_card(game, laid, at);
    game->guarded |= 1ull << card;
    for (int c = 0; c < 4; c++) {
        u8 *byte = game->plane + go(at, CORNER[c], 1);
        unsigned below = *byte - FILLED;
        game->cut |= 1ull << below;
        if (--game->shown[below] == 0) game->free &= ~(1ull << below);
        *byte = (u8)(FILLED + card);
    }
    for (int k = 0; k < 12; k++) {
        unsigned there = go(at, AROUND[k], 1), byte = game->plane[there];
        if (byte < SLOT) game->plane[there] = EDGES[laid][k]; // its only edge is to this card
        else if (byte < CLOSED) game->slots[byte] = fits_of(game, there) | OPEN;
    }
}

// ---- C. groups and points

// For each cell the name of the visible node; for each kind the next unused name. Only the scoring needs it.
typedef struct { u8 cells[PLACES + 1]; u8 names[1 + KINDS]; } TopView;

// The pieces of one kind on a card are connected (SC-2), so they are one node, named kind << 6 | card.
static inline void look_from_above(const Game *game, TopView *view, int wraps) {
    unsigned first = MIDDLE, last = MIDDLE; // where the first card lies
    for (unsigned card = 0; card < game->cards; card++) {
        first = game->places[card] < first ? game->places[card] : first;
        last = game->places[card] > last ? game->places[card] : last;
    }
    if (wraps)
        memset(view->cells, 0, PLACES);
    else
        memset(view->cells + first - DOWN - 1, 0, last - first + 3 * DOWN + 4);
    for (unsigned card = 0; card < game->cards; card++) { // upper cards are newer
        unsigned at = game->places[card], laid = game->laid[card];
        if (wraps) {
            for (int c = 0; c < 4; c++) view->cells[go(at, CORNER[c], 1)] = (u8)(PIECES[laid][c] << 6 | card);
            continue;
        }
        for (int y = 0; y < 2; y++) {
            u16 two = (u16)(ROWS[laid][y] + card * 0x101);
            memcpy(view->cells + at + y * DOWN, &two, sizeof two);
        }
    }
    memset(view->names, MAX_CARDS, sizeof view->names);
}

// Only on a partly covered card can pieces of one kind be disconnected; then one of them gets a separate name (eight
// cards have three pieces of a kind, so there are enough names). Its neighbours on the same card are then other nodes,
// so they are added as pairs, too.
static void split(const Game *game, TopView *view, unsigned card, u16 *pairs, unsigned *number) {
    u8 *cell[4];
    for (int c = 0; c < 4; c++) cell[c] = view->cells + go(game->places[card], CORNER[c], 1);
    for (int c = 0; c < 2; c++) {
        u8 node = *cell[c];
        if ((node & 63) == card && *cell[c + 2] == node && *cell[c + 1] != node && *cell[(c + 3) % 4] != node)
            *cell[c] = (u8)((node & 192) | view->names[node >> 6]++);
    }
    for (int c = 0; c < 4; c++) {
        unsigned a = *cell[c], b = *cell[(c + 1) % 4];
        if ((a ^ b) < 64) pairs[(*number)++] = (u16)(a | b << 8);
    }
}

static inline int is_shown(unsigned cell, unsigned card) { return (cell & 63) == card || (cell & 63) >= MAX_CARDS; }

// SC-42: finds the nodes that touch and gives all nodes of a group the same label.
static inline void label(const Game *game, TopView *view, u8 *labels, int wraps) {
    static const int FROM[4] = {1, DOWN + 1, DOWN, DOWN + 1}, TO[4] = {2, DOWN + 2, 2 * DOWN, 2 * DOWN + 1};
    u16 pairs[8 * MAX_CARDS];
    unsigned number = 0;
    for (u64 some = game->cut; some != 0; some &= some - 1)
        split(game, view, (unsigned)__builtin_ctzll(some), pairs, &number);
    for (unsigned card = 0; card < game->cards; card++) {
        unsigned at = game->places[card];
        for (int k = 0; k < 4; k++) {
            unsigned a = view->cells[go(at, FROM[k], wraps)], b = view->cells[go(at, TO[k], wraps)];
            pairs[number] = (u16)(a | b << 8);
            number += (a ^ b) - 1 < 63; // two nodes of one kind
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

static inline void count_pieces(const Game *game, const TopView *view, u64 whole, const u8 *labels, u8 *sizes) {
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
            unsigned cell = view->cells[go(game->places[card], CORNER[c], 1)];
            if (is_shown(cell, card)) sizes[labels[cell]]++;
        }
    }
}

// SC-44: for each label of the neutral kind the number of edges to the first side minus those to the second.
static inline void weigh_edges(const Game *game, const TopView *view, u64 whole, unsigned neutral, const u8 *labels,
                               int8_t *more, int wraps) {
    u16 where[4 * MAX_CARDS + 4]; // the neutral pieces
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
            unsigned at = go(game->places[card], CORNER[c], 1), cell = view->cells[at];
            where[number] = (u16)at;
            number += is_shown(cell, card) && cell >> 6 == neutral;
        }
    }
    int8_t side[1 + KINDS] = {0};
    side[game->kinds[0]] = 1;
    side[game->kinds[1]] = -1;
    for (unsigned k = 0; k < number; k++) {
        static const int BESIDES[4] = {1, -1, DOWN, -DOWN};
        unsigned at = go(where[k], 0, wraps);
        int edges = 0;
        for (int n = 0; n < 4; n++) edges += side[view->cells[go(at, BESIDES[n], wraps)] >> 6];
        int8_t *sum = more + (labels[view->cells[at]] & 63);
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

static inline Result score_with(const Game *game, int wraps) {
    _Alignas(32) u8 labels[256];
    TopView view;
    u8 sizes[256] = {0};
    int8_t more[64] = {0};
    u64 whole = ((1ull << game->cards) - 1) & ~game->cut;
    unsigned neutral = (unsigned)(1 + 2 + 3 - game->kinds[0] - game->kinds[1]);
    look_from_above(game, &view, wraps);
    label(game, &view, labels, wraps);
    count_pieces(game, &view, whole, labels, sizes);
    const u8 *ours = sizes + 64 * game->kinds[0], *theirs = sizes + 64 * game->kinds[1], *others = sizes + 64 * neutral;
    Result result = {{largest(ours), largest(theirs)}, -1}; // SC-43
    if (largest(others) >= LEAST) {
        weigh_edges(game, &view, whole, neutral, labels, more, wraps);
        for (int k = 0; k < 64; k++) {
            if (others[k] < LEAST) continue;
            if (more[k] > 0) result.points[0] += others[k];
            if (more[k] < 0) result.points[1] += others[k];
        }
    }
    int lead = result.points[0] - result.points[1];
    result.winner = lead > 0 ? 0 : lead < 0 ? 1 : break_tie(ours, theirs);
    return result;
}

static __attribute__((noinline)) Result score_wrapped(const Game *game) { return score_with(game, 1); }

static Result score(const Game *game) { return game->wraps ? score_wrapped(game) : score_with(game, 0); }

// ---- D. from turn to turn, and the end

static inline void draw(Game *game, int seat) {
    u64 at = below(game, game->left);
    unsigned pattern = game->stack[at];
    game->stack[at] = game->stack[--game->left];
    game->hands[seat] += 1ull << 4 * pattern;
    game->held[seat]++;
}

static void set_up(Game *game, u64 state) {
    *game = FRESH;
    game->random = state;
    for (int seat = 0; seat < SEATS; seat++) // SC-11
        for (int k = 0; k < HAND; k++) draw(game, seat);
}

// Picks a move and plays it; after a card on the first level, also a decision about a token. Returns whether the seat
// passed.
static inline int place(Game *game, int seat, Totals *totals) {
    static int32_t moves[MAX_MOVES];
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
    if (game->tokens[seat] > 0 && game->held[0] + game->held[1] + game->left > 0) {
        game->asked = 1;
        int32_t card = moves[below(game, list_tokens(game, moves))];
        totals->moves++;
        if (card != NO_TOKEN) {
            put_token(game, (unsigned)card);
            game->tokens[seat]--;
        }
        game->asked = 0;
    }
    return 0;
}

static void play_game(Game *game, u64 state, int scored, Totals *totals) {
    set_up(game, state);
    while (game->passes < SEATS && game->held[0] + game->held[1] > 0) { // SC-40, SC-41
        int seat = game->seat;
        if (game->kinds[seat] == 0) {
            int32_t kinds[KINDS];
            game->kinds[seat] = (u8)kinds[below(game, list_kinds(game, seat, kinds))];
            totals->moves++;
        }
        int passed = place(game, seat, totals);
        totals->passes += passed;
        game->passes = passed ? game->passes + 1 : 0;
        if (!passed && game->left > 0) draw(game, seat); // SC-14
        game->seat = (u8)(1 - seat);
    }
    totals->games++;
    if (!scored) return;
    Result result = score(game);
    for (int seat = 0; seat < SEATS; seat++) {
        totals->points[seat] += result.points[seat];
        totals->wins[seat] += result.winner == seat;
    }
}

int main(int count, char **words) {
    if (count != 3 && count != 4) return fputs("usage: limit_schokoly GAMES SEED [unscored]\n", stderr), 2;
    u64 games = strtoull(words[1], NULL, 10), seed = strtoull(words[2], NULL, 10);
    static _Alignas(64) Game game;
    Totals totals = {0};
    make_tables();
    make_fresh();
    clock_t began = clock();
    for (u64 number = 0; number < games; number++) play_game(&game, state_of(seed, number), count == 3, &totals);
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    double all = (double)totals.games, lists = (double)totals.lists;
    printf("{\"games\": %ld, \"moves\": %ld, \"seconds\": %.6f,\n", totals.games, totals.moves, seconds);
    printf(" \"moves_a_game\": %.4f, \"first_level_a_list\": %.4f, \"second_level_a_list\": %.4f,\n",
           (double)totals.moves / all, (double)totals.first / lists, (double)totals.second / lists);
    printf(" \"second_level_cards_a_game\": %.4f, \"passes\": %ld, \"points\": [%.4f, %.4f], \"wins\": [%.5f, %.5f]}\n",
           (double)totals.stacked / all, totals.passes, (double)totals.points[0] / all, (double)totals.points[1] / all,
           (double)totals.wins[0] / all, (double)totals.wins[1] / all);
    return 0;
}
