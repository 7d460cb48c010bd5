/* A yardstick: IDA* on the 24-puzzle with pattern databases of TILES (six) tiles each, as an expert would write it in C.
 *
 * A table has an entry for every placement of its tiles, at the sum of cell * 25^i: a move changes this index by one product, at
 * the price of twice the memory. A move looks up the pattern of the moved tile on the board and on the mirrored board; the
 * heuristic is the greater of the two sums, and the last move is not undone.
 *
 * Standard input: the number of tables and their files (distances in the order of the sets of cells by their
 * bit masks, and within a set of the permutations); the number of patterns on the board and on the mirrored board; for each its
 * table, its goal cells in the order of the table, and the 25 cells of the board as the table has them; then boards of 25 tiles,
 * 0 for the blank, to the goal 0 1 ... 24.
 * Output: for each board its cost, the nodes generated and expanded, and the seconds of
 * processor time taken.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#ifndef TILES
#define TILES 6
#endif

enum { CELLS = 25, SIDE = 5, MOST = 16 };

static int placements = 1, entries = 1, permutations = 1; /* of TILES tiles: 25^6, 25 * 24 * ... * 20, and 6! */
static uint8_t *tables[MOST];
static const uint8_t *table_of[MOST];
static int pattern_of[2][CELLS], scale_of[2][CELLS], frame[MOST][CELLS], sides, patterns_of_side[2];
static int moves[CELLS][4], move_count[CELLS];
static int board[CELLS], entry[MOST], value[MOST];
static uint64_t generated, expanded;
static int next_bound, bound;

static int search(int blank, int previous, int g, int sum, int mirrored) {
    expanded++;
    for (int i = 0; i < move_count[blank]; i++) {
        int cell = moves[blank][i];
        if (cell == previous) continue;
        generated++;
        int tile = board[cell], kept[2], sums[2] = {sum, mirrored};
        for (int side = 0; side < sides; side++) {
            int pattern = pattern_of[side][tile];
            entry[pattern] += (frame[pattern][blank] - frame[pattern][cell]) * scale_of[side][tile];
            kept[side] = value[pattern];
            value[pattern] = table_of[pattern][entry[pattern]];
            sums[side] += value[pattern] - kept[side];
        }
        int h = sums[0] > sums[1] ? sums[0] : sums[1], f = g + 1 + h, found = 0;
        if (f > bound) {
            if (f < next_bound) next_bound = f;
        } else {
            board[blank] = tile;
            board[cell] = 0;
            found = h == 0 || search(cell, blank, g + 1, sums[0], sums[1]);
            board[cell] = tile;
            board[blank] = 0;
        }
        for (int side = 0; side < sides; side++) {
            int pattern = pattern_of[side][tile];
            entry[pattern] -= (frame[pattern][blank] - frame[pattern][cell]) * scale_of[side][tile];
            value[pattern] = kept[side];
        }
        if (found) return 1;
    }
    return 0;
}

static void spread(const uint8_t *compact, uint8_t *table) {
    int cells[TILES];
    for (int tile = 0; tile < TILES; tile++) cells[tile] = tile;
    for (;;) { /* the sets in the order of their masks: by the highest cell, then the next */
        for (int permutation = 0; permutation < permutations; permutation++) {
            int rest = permutation, radix = permutations, left[TILES], index = 0, scale = 1;
            memcpy(left, cells, sizeof left);
            for (int tile = 0; tile < TILES; tile++) {
                radix /= TILES - tile;
                int which = rest / radix;
                rest %= radix;
                index += left[which] * scale;
                scale *= CELLS;
                for (int k = which; k + 1 < TILES - tile; k++) left[k] = left[k + 1];
            }
            table[index] = *compact++;
        }
        int k = 0;
        while (k < TILES - 1 && cells[k] + 1 == cells[k + 1]) k++;
        if (k == TILES - 1 && cells[k] + 1 == CELLS) return;
        cells[k]++;
        for (int lower = 0; lower < k; lower++) cells[lower] = lower;
    }
}

static uint8_t *read_table(const char *name) {
    FILE *file = fopen(name, "rb");
    unsigned char head[10];
    if (!file || fread(head, 1, 10, file) != 10) exit(2);
    fseek(file, 10 + head[8] + 256 * head[9], SEEK_SET); /* the head of an .npy file */
    uint8_t *compact = malloc(entries), *table;
    if (!compact || fread(compact, 1, entries, file) != (size_t)entries) exit(2);
    fclose(file);
    if (posix_memalign((void **)&table, 1 << 21, placements)) exit(2);
    madvise(table, placements, MADV_HUGEPAGE);
    spread(compact, table);
    free(compact);
    return table;
}

static int number(void) {
    int read;
    if (scanf("%d", &read) != 1) exit(2);
    return read;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(void) {
    int table_count = number(), pattern = 0;
    for (int tile = 0; tile < TILES; tile++) {
        placements *= CELLS;
        entries *= CELLS - tile;
        permutations *= TILES - tile;
    }
    for (int i = 0; i < table_count; i++) {
        char name[4096];
        if (scanf("%4095s", name) != 1) return 2;
        tables[i] = read_table(name);
    }
    patterns_of_side[0] = number();
    patterns_of_side[1] = number();
    sides = patterns_of_side[1] ? 2 : 1;
    for (int side = 0; side < sides; side++)
        for (int i = 0; i < patterns_of_side[side]; i++, pattern++) {
            table_of[pattern] = tables[number()];
            for (int tile = 0, scale = 1; tile < TILES; tile++, scale *= CELLS) {
                int goal = number(); /* the goal cell of a tile is its number */
                pattern_of[side][goal] = pattern;
                scale_of[side][goal] = scale;
            }
            for (int cell = 0; cell < CELLS; cell++) frame[pattern][cell] = number();
        }
    for (int cell = 0; cell < CELLS; cell++) {
        if (cell >= SIDE) moves[cell][move_count[cell]++] = cell - SIDE;
        if (cell % SIDE) moves[cell][move_count[cell]++] = cell - 1;
        if (cell % SIDE < SIDE - 1) moves[cell][move_count[cell]++] = cell + 1;
        if (cell < CELLS - SIDE) moves[cell][move_count[cell]++] = cell + SIDE;
    }
    while (scanf("%d", &board[0]) == 1) {
        int blank = board[0] ? -1 : 0, sums[2] = {0, 0};
        for (int cell = 1; cell < CELLS; cell++)
            if (!(board[cell] = number())) blank = cell;
        memset(entry, 0, sizeof entry);
        for (int side = 0; side < sides; side++) {
            for (int cell = 0; cell < CELLS; cell++)
                if (board[cell]) {
                    int of = pattern_of[side][board[cell]];
                    entry[of] += frame[of][cell] * scale_of[side][board[cell]];
                }
            for (int i = side * patterns_of_side[0]; i < patterns_of_side[0] + side * patterns_of_side[1]; i++)
                sums[side] += value[i] = table_of[i][entry[i]];
        }
        double started = now();
        generated = 1;
        expanded = 0;
        bound = sums[0] > sums[1] ? sums[0] : sums[1];
        while (next_bound = 1 << 30, !search(blank, -1, 0, sums[0], sums[1])) bound = next_bound;
        printf("%d %llu %llu %.9f\n", bound, (unsigned long long)generated, (unsigned long long)expanded, now() - started);
        fflush(stdout);
    }
    return 0;
}
