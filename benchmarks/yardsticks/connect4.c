/* A yardstick: a Connect Four solver as an expert would write it in C, making the same search as the compiled engine.
 *
 * Bitboards with an empty row on top; MTD(f) over negamax; a table of 16 bytes per entry that keeps the newer of two; move order:
 * the table's best move, then the most threats, then the centre; immediate wins are found without a search, and moves that let the
 * other side win immediately are skipped; mirror images share an entry near the root. WIDTH and HEIGHT are compile-time constants.
 * With EARLY_PREFETCH the entries of child positions are prefetched during move ordering, as in the compiled engine: most of the
 * time is spent waiting for memory.
 * Arguments: columns played (or -), log2 of the entries of the table, plies of mirroring, most nodes.
 * Output: the value for the side to move (WIN - plies for a win), the nodes, and the seconds of processor time taken.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#ifndef WIDTH
#define WIDTH 7
#endif
#ifndef HEIGHT
#define HEIGHT 6
#endif

enum { COLUMN = HEIGHT + 1, WIN = 1000000, INF = WIN + 1, DECISIVE = WIN - 10000, NONE = -2 };
enum { LOWER = 1, UPPER = 2, EXACT = 3 };

typedef uint64_t Board;
typedef struct { uint64_t key; int64_t data; } Entry;

static Board bottom, full;
static Entry *table;
static uint64_t mask, nodes, most_nodes;
static int mirrored;

static inline Board along(Board s, int d) {
    Board before = s << d, after = s >> d;
    Board two_before = before & (s << 2 * d), two_after = after & (s >> 2 * d);
    return (two_before & (s << 3 * d | after)) | (two_after & (s >> 3 * d | before));
}

static inline Board row_ends(Board s) {
    return ((s << 1) & (s << 2) & (s << 3)) | along(s, COLUMN) | along(s, COLUMN - 1) | along(s, COLUMN + 1);
}

static Board mirror(Board s) {
    Board image = 0;
    for (int column = 0; column < WIDTH; column++)
        image |= (s >> column * COLUMN & ((1ull << COLUMN) - 1)) << (WIDTH - 1 - column) * COLUMN;
    return image;
}

static inline Entry *place_of(uint64_t key) {
    uint64_t mixed = key * 0xBF58476D1CE4E5B9ull;
    return table + ((mixed ^ mixed >> 29) & mask);
}

/* `quiet`: no move wins immediately, as the parent has checked. */
static int value(Board mine, Board all, int alpha, int beta, int ply, int quiet) {
    if (nodes++ >= most_nodes) { printf("stopped %llu\n", (unsigned long long)nodes - 1); exit(3); }
    if (all == full) return 0;
    Board free_cells = (all + bottom) & full, theirs = mine ^ all;
    if (!quiet && row_ends(mine) & free_cells) return WIN - (ply + 1);

    uint64_t key = mine + all;
    if (ply <= mirrored) {
        uint64_t image = mirror(mine) + mirror(all);
        if ((int64_t)image < (int64_t)key) key = image;
    }
    Entry *entry = place_of(key);
    __builtin_prefetch(entry);

    Board threats = row_ends(theirs) & (full ^ all), sound = free_cells;
    if (free_cells & threats) {
        sound = free_cells & threats;
        if (sound & (sound - 1)) return ply + 2 - WIN;
    }
    sound &= ~(threats >> 1);
    if (!sound) return ply + 2 - WIN;

    int most = WIN - (ply + 3), least = ply + 4 - WIN; /* no side wins sooner now */
    if (alpha >= most) return most;
    if (beta <= least) return least;
    if (beta > most) beta = most;

    int hash_move = NONE;
    if (entry->data && entry->key == key) {
        int known = entry->data >> 26, bound = entry->data & 3;
        if (known >= DECISIVE) known -= ply; else if (known <= -DECISIVE) known += ply;
        hash_move = (entry->data >> 3 & 127) - 1;
        if (bound == EXACT || (bound == LOWER ? known >= beta : known <= alpha)) return known;
    }

    int moves[WIDTH], promises[WIDTH], count = 0;
    for (int column = 0; column < WIDTH; column++) {
        Board stone = sound & ((1ull << HEIGHT) - 1) << column * COLUMN;
        if (!stone) continue;
        int centre = 2 * column + 2 - WIDTH - 1;
        int promise = 16 * __builtin_popcountll(row_ends(mine | stone) & (full ^ all)) - abs(centre);
#ifdef EARLY_PREFETCH
        __builtin_prefetch(place_of(theirs + (all | stone)));
#endif
        if (column + 1 == hash_move) promise = INF;
        int place = count++;
        for (; place > 0 && promises[place - 1] < promise; place--) {
            promises[place] = promises[place - 1];
            moves[place] = moves[place - 1];
        }
        promises[place] = promise;
        moves[place] = column;
    }

    int best = -INF, best_move = 0, low = alpha;
    for (int number = 0; number < count; number++) {
        int column = moves[number];
        Board after = all | (all + (1ull << column * COLUMN));
        int worth = -value(theirs, after, -beta, -alpha, ply + 1, 1);
        if (worth > best) {
            best = worth;
            best_move = column + 1;
            if (best > alpha) alpha = best;
            if (alpha >= beta) break;
        }
    }

    int64_t kept = best >= DECISIVE ? best + ply : best <= -DECISIVE ? best - ply : best;
    int bound = best <= low ? UPPER : best >= beta ? LOWER : EXACT;
    entry->key = key;
    entry->data = kept << 26 | (best_move + 1) << 3 | bound;
    return best;
}

static int root(Board mine, Board all, const int *moves, int count, int alpha, int beta) {
    int best = -INF;
    nodes++;
    for (int number = 0; number < count; number++) {
        Board after = all | (all + (1ull << moves[number] * COLUMN));
        int worth = row_ends(mine) & (after ^ all) ? (nodes++, WIN - 1)
                                                   : -value(mine ^ all, after, -beta, -(alpha > best ? alpha : best), 1, 0);
        if (worth > best) best = worth;
        if (best >= beta) break;
    }
    return best;
}

int main(int argc, char **argv) {
    if (argc < 5) return fprintf(stderr, "usage: %s MOVES LOG2_ENTRIES MIRRORED_PLIES MOST_NODES\n", argv[0]), 2;
    for (int column = 0; column < WIDTH; column++) bottom |= 1ull << column * COLUMN;
    full = bottom * ((1ull << HEIGHT) - 1);
    mask = (1ull << atoi(argv[2])) - 1;
    size_t bytes = (mask + 1) * sizeof *table;
    table = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#ifdef MADV_HUGEPAGE
    madvise(table, bytes, MADV_HUGEPAGE); /* as NumPy does */
#endif
    mirrored = atoi(argv[3]);
    most_nodes = strtoull(argv[4], 0, 10);
    Board mine = 0, all = 0;
    for (const char *move = argv[1]; *move && *move != '-'; move++) {
        mine ^= all;
        all |= all + (1ull << (*move - '1') * COLUMN);
    }

    int moves[WIDTH], promises[WIDTH], count = 0;
    for (int column = 0; column < WIDTH; column++) {
        Board stone = (all + bottom) & full & ((1ull << HEIGHT) - 1) << column * COLUMN;
        if (!stone) continue;
        int promise = 16 * __builtin_popcountll(row_ends(mine | stone) & (full ^ all)) - abs(2 * column + 2 - WIDTH - 1);
        int place = count++;
        for (; place > 0 && promises[place - 1] < promise; place--) {
            promises[place] = promises[place - 1];
            moves[place] = moves[place - 1];
        }
        promises[place] = promise;
        moves[place] = column;
    }

    struct timespec from, to;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    int lower = -INF, upper = INF, guess = 0;
    while (lower < upper) {
        int beta = guess == lower ? guess + 1 : guess;
        guess = root(mine, all, moves, count, beta - 1, beta);
        if (guess < beta) upper = guess; else lower = guess;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    double seconds = to.tv_sec - from.tv_sec + (to.tv_nsec - from.tv_nsec) / 1e9;
    printf("%d %llu %.9f\n", guess, (unsigned long long)nodes, seconds);
    return 0;
}
