/* A yardstick: IDA* with the Manhattan distance on the 15-puzzle, as an expert would write it in idiomatic C.
 *
 * A board array, the distance updated by a table, a table of moves, no undoing of the last move.
 * Input: lines of 16 tiles, 0 for the blank, to the goal 0 1 ... 15. Output: for each line the cost, the nodes generated
 * (Korf's convention), and the seconds taken.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CELLS = 16, SIDE = 4 };

static int board[CELLS], distance[CELLS][CELLS], moves[CELLS][4], move_count[CELLS];
static uint64_t generated;
static int next_bound;

static int search(int blank, int previous, int g, int h, int bound) {
    for (int i = 0; i < move_count[blank]; i++) {
        int cell = moves[blank][i];
        if (cell == previous) continue;
        int tile = board[cell];
        int child_h = h + distance[tile][blank] - distance[tile][cell];
        int f = g + 1 + child_h;
        generated++;
        if (f > bound) {
            if (f < next_bound) next_bound = f;
            continue;
        }
        if (child_h == 0) return 1;
        board[blank] = tile;
        board[cell] = 0;
        int found = search(cell, blank, g + 1, child_h, bound);
        board[cell] = tile;
        board[blank] = 0;
        if (found) return 1;
    }
    return 0;
}

static void make_tables(void) {
    static const int down[4] = {-1, 0, 0, 1}, right[4] = {0, -1, 1, 0}; /* up, left, right, down */
    for (int cell = 0; cell < CELLS; cell++) {
        for (int way = 0; way < 4; way++) {
            int row = cell / SIDE + down[way], column = cell % SIDE + right[way];
            if (row >= 0 && row < SIDE && column >= 0 && column < SIDE)
                moves[cell][move_count[cell]++] = row * SIDE + column;
        }
        for (int tile = 1; tile < CELLS; tile++)
            distance[tile][cell] = abs(tile / SIDE - cell / SIDE) + abs(tile % SIDE - cell % SIDE);
    }
}

static int read_board(int *blank, int *h) {
    *h = 0;
    for (int cell = 0; cell < CELLS; cell++) {
        if (scanf("%d", &board[cell]) != 1) return 0;
        if (board[cell] == 0) *blank = cell;
        else *h += distance[board[cell]][cell];
    }
    return 1;
}

int main(void) {
    int blank = 0, h = 0;
    make_tables();
    while (read_board(&blank, &h)) {
        struct timespec start, end;
        int bound = h;
        clock_gettime(CLOCK_MONOTONIC, &start);
        generated = 1;
        while (h > 0) {
            next_bound = 1 << 30;
            if (search(blank, -1, 0, h, bound)) break;
            bound = next_bound;
        }
        clock_gettime(CLOCK_MONOTONIC, &end);
        double seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
        printf("%d %llu %.6f\n", bound, (unsigned long long)generated, seconds);
        fflush(stdout);
    }
    return 0;
}
