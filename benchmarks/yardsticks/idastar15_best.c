/* A yardstick: IDA* with the Manhattan distance on the 15-puzzle, as fast as possible in C, for this puzzle and goal only.
 *
 * The board is one 64-bit number, four bits per cell. Each blank cell and last move has its own function, so that legal moves,
 * shifts and the move not undone are constants, and the processor predicts each return address separately. Only the remaining
 * bound is stored, not the distance: a move towards home leaves it unchanged, a move away reduces it by 2. The tiles that a move
 * takes away from home are a constant of 16 bits. Korf's instances have the goal 0 1 ... 15.
 * Input: lines of 16 tiles, 0 for the blank. Output: for each line the cost, the nodes generated (Korf's convention), and the
 * seconds taken.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CELLS = 16, SIDE = 4 };
enum { UP, LEFT, RIGHT, DOWN, NONE, MOVES = 8 }; /* MOVES: stride of the function numbers */

#define INLINE static inline __attribute__((always_inline))
#define GOAL 0xFEDCBA9876543210u

static uint64_t generated;

INLINE int neighbour(int cell, int move) {
    if (move == UP) return cell < SIDE ? -1 : cell - SIDE;
    if (move == DOWN) return cell >= CELLS - SIDE ? -1 : cell + SIDE;
    if (move == LEFT) return cell % SIDE == 0 ? -1 : cell - 1;
    return cell % SIDE == SIDE - 1 ? -1 : cell + 1;
}

INLINE int is_tried(int blank, int move, int last) { return neighbour(blank, move) >= 0 && last + move != UP + DOWN; }

INLINE int distance(int tile, int cell) { return abs(tile / SIDE - cell / SIDE) + abs(tile % SIDE - cell % SIDE); }

INLINE uint32_t away(int tile, int from, int to) { return (uint32_t)(distance(tile, to) > distance(tile, from)) << tile; }

/* The tiles, as bits, that a move from one cell to another takes away from home. */
INLINE uint32_t all_away(int from, int to) {
    return away(1, from, to) | away(2, from, to) | away(3, from, to) | away(4, from, to) | away(5, from, to) |
           away(6, from, to) | away(7, from, to) | away(8, from, to) | away(9, from, to) | away(10, from, to) |
           away(11, from, to) | away(12, from, to) | away(13, from, to) | away(14, from, to) | away(15, from, to);
}

#define FOR_ALL(DO)                                                                                                           \
    FOR_MOVES(DO, 0) FOR_MOVES(DO, 1) FOR_MOVES(DO, 2) FOR_MOVES(DO, 3) FOR_MOVES(DO, 4) FOR_MOVES(DO, 5) FOR_MOVES(DO, 6)    \
    FOR_MOVES(DO, 7) FOR_MOVES(DO, 8) FOR_MOVES(DO, 9) FOR_MOVES(DO, 10) FOR_MOVES(DO, 11) FOR_MOVES(DO, 12)                  \
    FOR_MOVES(DO, 13) FOR_MOVES(DO, 14) FOR_MOVES(DO, 15)
#define FOR_MOVES(DO, blank) DO(blank, UP) DO(blank, LEFT) DO(blank, RIGHT) DO(blank, DOWN) DO(blank, NONE)

#define DECLARE(blank, last) static int search_##blank##_##last(uint64_t board, int left);
FOR_ALL(DECLARE)

/* The search below a board; left: half the remaining bound. Returns whether the goal was found. */
INLINE int search(int blank, int last, uint64_t board, int left) {
#define CASE(blank, last) case blank * MOVES + last: return search_##blank##_##last(board, left);
    switch (blank * MOVES + last) { FOR_ALL(CASE) }
    return 0;
}

/* One child; `later` siblings follow it, and have been counted already. */
INLINE int try_move(int blank, int move, int last, int later, uint64_t board, int left) {
    if (!is_tried(blank, move, last)) return 0;
    const int cell = neighbour(blank, move);
    const uint64_t tile = board >> 4 * cell & 15;
    left -= (int)(all_away(cell, blank) >> tile & 1);
    if (left < 0) return 0;
    board ^= tile << 4 * cell ^ tile << 4 * blank;
    if ((cell == 0 && board == GOAL) || search(cell, move, board, left)) {
        generated -= (uint64_t)later;
        return 1;
    }
    return 0;
}

INLINE int expand(int blank, int last, uint64_t board, int left) {
    const int down = is_tried(blank, DOWN, last), right_on = is_tried(blank, RIGHT, last) + down;
    const int left_on = is_tried(blank, LEFT, last) + right_on;
    generated += (uint64_t)(is_tried(blank, UP, last) + left_on);
    return try_move(blank, UP, last, left_on, board, left) || try_move(blank, LEFT, last, right_on, board, left) ||
           try_move(blank, RIGHT, last, down, board, left) || try_move(blank, DOWN, last, 0, board, left);
}

#define DEFINE(blank, last)                                                                                                   \
    static __attribute__((noinline)) int search_##blank##_##last(uint64_t board, int left) {                                  \
        return expand(blank, last, board, left);                                                                              \
    }
FOR_ALL(DEFINE)

static int read_board(uint64_t *board, int *blank, int *h) {
    *board = 0;
    *h = 0;
    for (int cell = 0; cell < CELLS; cell++) {
        int tile;
        if (scanf("%d", &tile) != 1) return 0;
        *board |= (uint64_t)tile << 4 * cell;
        if (tile == 0) *blank = cell;
        else *h += distance(tile, cell);
    }
    return 1;
}

int main(void) {
    uint64_t board;
    int blank = 0, h = 0;
    while (read_board(&board, &blank, &h)) {
        struct timespec start, end;
        int bound = h;
        clock_gettime(CLOCK_MONOTONIC, &start);
        generated = 1;
        /* the next bound is always 2 more: f changes by 0 or 2 per move */
        while (board != GOAL && !search(blank, NONE, board, (bound - h) / 2)) bound += 2;
        clock_gettime(CLOCK_MONOTONIC, &end);
        double seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
        printf("%d %llu %.6f\n", bound, (unsigned long long)generated, seconds);
        fflush(stdout);
    }
    return 0;
}
