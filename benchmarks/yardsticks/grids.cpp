// A* on a grid with a binary heap from the standard library: the yardstick for benchmarks/grids.py.
//
// Input, in binary: int32 width, height, neighbours (8 or 4); then a byte for each cell, row by row (1: free); then for each
// query int32 start and goal, as y * width + x. Output: for each query its cost and its seconds of processor time.
// A diagonal step costs sqrt 2 and must not cut a corner. Arrays are kept between queries: marks tell which cells are new.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <queue>
#include <vector>

struct Open {
    double f, h;
    int32_t cell;
    bool operator<(const Open& other) const { return f != other.f ? f > other.f : h > other.h; }
};

int main() {
    int32_t head[3];
    if (std::fread(head, 4, 3, stdin) != 3) return 1;
    const int width = head[0], height = head[1], neighbours = head[2];
    int bits = 1;
    while ((1 << bits) < width + 2) bits++;
    const int wide = 1 << bits;
    std::vector<uint8_t> cells(size_t(width) * height), free(size_t(wide) * (height + 2));
    if (std::fread(cells.data(), 1, cells.size(), stdin) != cells.size()) return 1;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) free[(y + 1) * wide + x + 1] = cells[size_t(y) * width + x];
    const int shift[8] = {-wide, 1, wide, -1, -wide + 1, wide + 1, wide - 1, -wide - 1};
    const double root2 = std::sqrt(2.0);
    std::vector<double> cost(free.size());
    std::vector<int32_t> mark(free.size(), 0), closed(free.size(), 0), parent(free.size());
    std::vector<Open> open;
    int32_t ends[2];
    for (int query = 1; std::fread(ends, 4, 2, stdin) == 2; query++) {
        const std::clock_t started = std::clock();
        const int gx = ends[1] % width + 1, gy = ends[1] / width + 1, goal = gy * wide + gx;
        const int start = (ends[0] / width + 1) * wide + ends[0] % width + 1;
        auto estimate = [&](int cell) {
            const int across = std::abs((cell & (wide - 1)) - gx), down = std::abs((cell >> bits) - gy);
            return neighbours == 4 ? across + down : root2 * std::min(across, down) + std::abs(across - down);
        };
        std::priority_queue<Open, std::vector<Open>> agenda(std::less<Open>(), std::move(open));
        cost[start] = 0, mark[start] = query, parent[start] = -1;
        agenda.push({estimate(start), estimate(start), start});
        double found = -1;
        while (!agenda.empty()) {
            const int cell = agenda.top().cell;
            agenda.pop();
            if (closed[cell] == query) continue;
            if (cell == goal) {
                found = cost[cell];
                break;
            }
            closed[cell] = query;
            for (int turn = 0; turn < neighbours; turn++) {
                const int next = cell + shift[turn];
                if (!free[next]) continue;
                if (turn >= 4 && !(free[cell + shift[turn - 4]] && free[cell + shift[(turn - 3) & 3]])) continue;
                const double g = cost[cell] + (turn < 4 ? 1 : root2);
                if (mark[next] == query && cost[next] <= g) continue;
                mark[next] = query, cost[next] = g, parent[next] = cell;
                const double h = estimate(next);
                agenda.push({g + h, h, next});
            }
        }
        const double seconds = double(std::clock() - started) / CLOCKS_PER_SEC;
        std::printf("%.17g %.9f\n", found, seconds);
        std::fflush(stdout);
    }
}
