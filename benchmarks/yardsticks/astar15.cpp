/* A yardstick: A* with the Manhattan distance on the 15-puzzle, as fast as we could write it for this puzzle alone.
 *
 * Nodes are records of 16 bytes in one array, in the order of generation. A hash table with linear probing has 4 bytes per slot:
 * the index of a node, and in the remaining bits a part of the state's hash, so that most other states are rejected without
 * reading their records. The agenda is a queue of chunks for each (f, h). A memory access takes as long as several expansions,
 * so the slots of the children of the next nodes are prefetched: of a node in the queue, and of its descendants of equal f,
 * which are expanded right after it. Arrays are mapped in huge pages.
 *
 * Input: 16 tiles, 0 for the blank, to the goal 0 1 ... 15. Ties: equal f by the lowest h, then first in, first out.
 * Output: the cost, the nodes expanded and generated (the start included), the seconds of processor time, and the bytes of
 * resident memory per stored node.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using std::size_t, std::uint32_t, std::uint64_t, std::uint8_t;

constexpr int CELLS = 16, SIDE = 4, MOST_F = 256, MOST_H = 128;
constexpr uint32_t NONE = ~0u;
constexpr unsigned AHEAD = 6;   /* queue distance at which a node's children are prefetched; its record: twice as far */
constexpr int LINE = 8;         /* maximum number of descendants prefetched with a node */
constexpr size_t HUGE_PAGE = 2 << 20, ROOM = size_t{1} << 35;

static int move_count[CELLS], target[CELLS][4];
static uint8_t distance[CELLS][CELLS];

struct Node {
    uint64_t board;
    uint32_t parent; /* its index + 1 */
    uint8_t g, cells, is_open;

    int blank() const { return cells & 15; }
    int from() const { return cells >> 4; } /* the previous cell of the blank; at the start its own */
};
static_assert(sizeof(Node) == 16);

/* Address space, which takes memory only when written. */
template <typename Element> static Element *reserve(size_t bytes) {
    void *start = mmap(nullptr, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    auto aligned = (reinterpret_cast<uintptr_t>(start) + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    madvise(reinterpret_cast<void *>(aligned), bytes, MADV_HUGEPAGE);
    return reinterpret_cast<Element *>(aligned);
}

static Node *nodes;
static uint32_t size_, capacity;

/* The hash table: index + 1 in the low bits of a slot, a tag in the others; 0 for an empty slot. */
static uint32_t *table, place_mask;
static size_t slots;
static int shift;

static inline uint64_t hash(uint64_t board) {
    board *= 0x9E3779B97F4A7C15u;
    board ^= board >> 32;
    return board * 0xBF58476D1CE4E5B9u;
}
static inline size_t slot_of(uint64_t hash) { return hash >> shift; }
static inline uint32_t tag_of(uint64_t hash) { return static_cast<uint32_t>(hash) & ~place_mask; }

static void make_table(size_t number) {
    slots = number;
    shift = 64 - __builtin_ctzll(number);
    place_mask = static_cast<uint32_t>(number - 1);
    capacity = static_cast<uint32_t>(number / 4 * 3);
    table = reserve<uint32_t>(4 * number);
}

static void double_table() {
    constexpr uint32_t BATCH = 32;
    uint64_t hashes[BATCH];
    munmap(table, 4 * slots);
    make_table(2 * slots);
    for (uint32_t place = 0; place < size_ + BATCH; place++) {
        if (place >= BATCH) {
            uint64_t known = hashes[place % BATCH];
            size_t slot = slot_of(known);
            while (table[slot] != 0) slot = (slot + 1) & (slots - 1);
            table[slot] = tag_of(known) | (place - BATCH + 1);
        }
        if (place < size_) {
            hashes[place % BATCH] = hash(nodes[place].board);
            __builtin_prefetch(&table[slot_of(hashes[place % BATCH])], 1);
        }
    }
}

/* The agenda: for each f and h a queue of indices, in chunks. */
constexpr uint32_t IN_CHUNK = 31;
struct Chunk {
    uint32_t places[IN_CHUNK], next;
};
struct Queue {
    uint32_t head, tail, first, end; /* chunks, and the positions in them of the first entry and after the last one */

    bool is_empty() const { return head == tail && first == end; }
};
static Queue queues[MOST_F][MOST_H];
static uint32_t waiting[MOST_F], chunk_count = 1;
static Chunk *chunks;
static std::vector<uint32_t> free_chunks;

static uint32_t new_chunk() {
    if (free_chunks.empty()) return chunk_count++;
    uint32_t chunk = free_chunks.back();
    free_chunks.pop_back();
    return chunk;
}

static inline void push(int f, int h, uint32_t place) {
    Queue &queue = queues[f][h];
    if (queue.tail == 0) {
        queue.head = queue.tail = new_chunk();
    } else if (queue.end == IN_CHUNK) {
        uint32_t chunk = new_chunk();
        chunks[queue.tail].next = chunk;
        queue.tail = chunk;
        queue.end = 0;
    }
    chunks[queue.tail].places[queue.end++] = place;
    waiting[f]++;
}

static inline uint32_t pop(Queue &queue) {
    uint32_t place = chunks[queue.head].places[queue.first++];
    if (queue.is_empty()) {
        queue.first = queue.end = 0;
    } else if (queue.first == IN_CHUNK) {
        free_chunks.push_back(queue.head);
        queue.head = chunks[queue.head].next;
        queue.first = 0;
    }
    return place;
}

static inline uint32_t entry(const Queue &queue, unsigned number) {
    unsigned at = queue.first + number;
    if (queue.head == queue.tail) return at < queue.end ? chunks[queue.head].places[at] : NONE;
    if (at < IN_CHUNK) return chunks[queue.head].places[at];
    uint32_t next = chunks[queue.head].next;
    at -= IN_CHUNK;
    return at < IN_CHUNK && (next != queue.tail || at < queue.end) ? chunks[next].places[at] : NONE;
}

static inline uint64_t moved(uint64_t board, int blank, int cell, uint64_t &tile) {
    tile = board >> 4 * cell & 15;
    return board ^ tile << 4 * cell ^ tile << 4 * blank;
}

/* Prefetch the slots of the children of a node, and of its descendants of equal f. */
static void fetch(uint64_t board, int blank, int from, int line) {
    for (int move = 0; move < move_count[blank]; move++) {
        int cell = target[blank][move];
        if (cell == from) continue;
        uint64_t tile, child = moved(board, blank, cell, tile);
        __builtin_prefetch(&table[slot_of(hash(child))], 1);
        if (line > 0 && distance[tile][blank] < distance[tile][cell]) fetch(child, cell, blank, line - 1);
    }
}

static void make_tables() {
    static const int down[4] = {-1, 0, 0, 1}, right[4] = {0, -1, 1, 0}; /* up, left, right, down */
    for (int cell = 0; cell < CELLS; cell++) {
        for (int way = 0; way < 4; way++) {
            int row = cell / SIDE + down[way], column = cell % SIDE + right[way];
            if (row >= 0 && row < SIDE && column >= 0 && column < SIDE) target[cell][move_count[cell]++] = row * SIDE + column;
        }
        for (int tile = 1; tile < CELLS; tile++)
            distance[tile][cell] = static_cast<uint8_t>(abs(tile / SIDE - cell / SIDE) + abs(tile % SIDE - cell % SIDE));
    }
}

static double seconds() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

static double resident_bytes() {
    long all = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == nullptr || fscanf(file, "%ld %ld", &all, &resident) != 2) return 0;
    fclose(file);
    return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

int main() {
    make_tables();
    uint64_t board = 0, generated = 1, expanded = 0;
    int start_blank = 0, h = 0;
    for (int cell = 0; cell < CELLS; cell++) {
        int tile;
        if (scanf("%d", &tile) != 1) return 1;
        board |= static_cast<uint64_t>(tile) << 4 * cell;
        if (tile == 0) start_blank = cell;
        else h += distance[tile][cell];
    }
    double bytes = resident_bytes(), started = seconds();
    nodes = reserve<Node>(ROOM);
    chunks = reserve<Chunk>(ROOM);
    make_table(1 << 16);
    nodes[size_++] = {board, 0, 0, static_cast<uint8_t>(start_blank | start_blank << 4), 1};
    table[slot_of(hash(board))] = tag_of(hash(board)) | 1;
    push(h, h, 0);
    int f = h;
    for (;;) {
        while (waiting[f] == 0) {
            f++;
            h = 0;
        }
        while (queues[f][h].is_empty()) h++;
        Queue &queue = queues[f][h];
        uint32_t place = pop(queue);
        waiting[f]--;
        Node &node = nodes[place];
        if (node.is_open == 0 || node.g + h != f) continue; /* a cheaper path has moved it to another queue */
        if (h == 0) break;
        if (uint32_t later = entry(queue, 2 * AHEAD); later != NONE) __builtin_prefetch(&nodes[later], 1);
        if (uint32_t later = entry(queue, AHEAD); later != NONE) fetch(nodes[later].board, nodes[later].blank(), nodes[later].from(), LINE);
        if (size_ + 4 > capacity) double_table();
        node.is_open = 0;
        expanded++;
        int blank = node.blank(), from = node.from(), g = node.g + 1, lowest = h;
        board = node.board;
        generated += static_cast<uint64_t>(move_count[blank]);
        for (int move = 0; move < move_count[blank]; move++) {
            int cell = target[blank][move];
            if (cell == from) continue; /* the parent, to which this path is not cheaper */
            uint64_t tile, child = moved(board, blank, cell, tile), child_hash = hash(child);
            int child_h = h + distance[tile][blank] - distance[tile][cell];
            size_t slot = slot_of(child_hash);
            uint32_t tag = tag_of(child_hash), twin = NONE;
            for (uint32_t known; (known = table[slot]) != 0; slot = (slot + 1) & (slots - 1)) {
                if ((known & ~place_mask) == tag && nodes[(known & place_mask) - 1].board == child) {
                    twin = (known & place_mask) - 1;
                    break;
                }
            }
            if (twin == NONE) {
                twin = size_++;
                table[slot] = tag | size_;
            } else if (g >= nodes[twin].g) {
                continue;
            }
            nodes[twin] = {child, place + 1, static_cast<uint8_t>(g), static_cast<uint8_t>(cell | blank << 4), 1};
            push(g + child_h, child_h, twin);
            if (g + child_h == f) lowest = child_h; /* h - 1: it is expanded next */
        }
        h = lowest;
    }
    double taken = seconds() - started;
    bytes = resident_bytes() - bytes;
    printf("%d %llu %llu %.6f %.1f\n", f, static_cast<unsigned long long>(expanded), static_cast<unsigned long long>(generated), taken, bytes / size_);
    return 0;
}
