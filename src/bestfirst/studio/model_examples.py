"""Examples of the models: the text of instance files, most of them published (examples/instances/README.md names the sources)."""

from __future__ import annotations

from typing import Any

ORIENTEERING = """3 1 8 1
0 0
0 40 50 0 0 1 0 0 0 230
1 45 68 10 10 1 1 1 10 60
2 42 66 10 20 1 1 1 30 120
3 20 50 10 10 1 1 1 0 90
4 25 85 10 40 1 1 1 60 140
5 60 55 10 20 1 1 1 80 170
6 72 35 10 30 1 1 1 20 150
7 50 30 10 30 1 1 1 100 200
8 30 40 10 20 1 1 1 120 220
"""
JOBS = """26 24 79 46 32 35 73 74 14 67
1 10 9 10 10 4 3 2 10 3
298 291 227 311 222 156 162 241 206 225
"""
TSPTW = """11
0 0 0 0 0 0 0 0 0 0 0
71 0 85 85 85 96 85 85 97 85 77
50 65 0 77 77 62 77 77 62 77 74
64 74 88 0 88 80 88 88 82 88 87
44 54 68 68 0 60 68 68 62 68 67
51 75 51 51 51 0 51 51 80 51 65
53 64 78 78 78 68 0 78 69 78 76
51 67 69 69 69 75 69 0 75 69 63
43 61 71 71 71 43 71 71 0 71 68
53 64 78 78 78 68 78 78 69 0 80
42 66 52 52 52 70 52 52 70 52 0
0         9396
0         865
399       1299
550       1450
685       1585
819       1719
1208      2108
1412      2312
1701      2330
2413      3313
3798      4698
# Sum of service times: 522
"""
ASSEMBLY_LINE = """<number of tasks>
20

<cycle time>
1000

<order strength>
0,268


<task times>
1 142
2 34
3 140
4 214
5 121
6 279
7 50
8 282
9 129
10 175
11 97
12 132
13 107
14 132
15 69
16 169
17 73
18 231
19 120
20 186

<precedence relations>
1,6
2,7
4,8
5,9
6,10
7,11
8,12
10,13
11,13
12,14
12,15
13,16
13,17
13,18
14,20
15,19

<end>
"""
BIN_PACKING = """9 10
7 5 4 4 3 3 2 1 1
"""
TALENT_SCHEDULING = """film105.dat
18
8

0 0 0 1 1 1 0 1 1 0 0 0 1 0 1 0 0 0 10
1 1 0 0 0 0 0 0 0 0 1 1 1 0 0 0 1 0  4
0 0 1 1 1 1 1 0 0 0 1 1 1 0 1 0 0 0  5
0 0 0 0 0 0 0 0 0 0 0 0 0 1 0 0 1 0  5
0 0 0 0 0 0 0 0 0 1 0 1 0 0 0 0 0 1  5
0 0 1 1 0 1 0 0 1 1 0 0 1 0 1 1 0 1  40
1 0 0 0 0 1 1 1 0 0 1 0 1 0 0 1 0 1  4
0 0 0 1 0 0 1 0 0 1 0 1 0 1 0 0 0 1  20

2 1 1 1 1 1 1 1 1 1 1 1 1 1 2 1 1 1
"""
OPEN_STACKS = """fifteen customers, fifteen products
15 15
0 1 0 0 1 0 0 0 0 1 0 0 1 0 0
1 0 0 0 1 0 0 0 1 0 0 0 0 1 0
0 0 0 0 0 0 0 0 0 0 0 0 0 1 0
0 0 0 0 0 0 0 0 0 0 1 0 1 0 0
1 0 1 0 0 0 0 0 0 0 0 1 0 0 0
0 0 0 0 0 0 0 0 0 0 0 0 0 0 1
0 0 0 1 0 0 0 0 0 0 0 1 0 0 1
0 0 1 0 0 0 0 1 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0 0 0 0 0 0 1 0
0 0 0 0 0 0 0 0 0 0 1 0 0 0 0
1 0 0 0 1 0 0 0 1 0 0 0 0 0 0
0 0 1 0 0 0 0 0 0 0 0 0 0 0 0
1 0 0 0 0 0 0 0 0 0 0 0 0 0 0
0 0 0 1 0 0 0 1 0 0 0 0 0 0 0
0 0 1 0 1 0 0 0 0 0 0 1 0 0 1
"""
GRAPH_CLEAR = """20 40
9 2 9 2 2 9 5 9 6 4 5 9 8 10 2 3 9 3 8 9
0 3 4 0 0 0 0 0 0 0 0 0 3 0 0 0 0 0 0 0
3 0 0 0 0 0 0 0 3 0 1 0 0 0 2 0 4 0 0 0
4 0 0 2 0 0 0 0 0 0 0 0 4 4 1 0 2 1 4 0
0 0 2 0 3 0 0 0 0 0 0 0 1 0 0 0 3 0 0 0
0 0 0 3 0 1 4 0 0 3 4 3 1 0 0 0 2 0 0 0
0 0 0 0 1 0 2 0 0 0 0 0 0 0 0 0 4 0 0 0
0 0 0 0 4 2 0 4 0 3 0 0 0 0 0 0 4 0 0 0
0 0 0 0 0 0 4 0 4 1 0 0 0 0 0 0 2 0 0 0
0 3 0 0 0 0 0 4 0 0 0 0 0 0 0 0 1 0 0 0
0 0 0 0 3 0 3 1 0 0 0 0 0 0 0 0 0 0 0 0
0 1 0 0 4 0 0 0 0 0 0 3 0 0 0 0 0 0 0 0
0 0 0 0 3 0 0 0 0 0 3 0 1 0 0 0 0 0 0 0
3 0 4 1 1 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0
0 0 4 0 0 0 0 0 0 0 0 0 0 0 0 0 2 0 0 0
0 2 1 0 0 0 0 0 0 0 0 0 0 0 0 4 3 0 0 0
0 0 0 0 0 0 0 0 0 0 0 0 0 0 4 0 2 0 0 4
0 4 2 3 2 4 4 2 1 0 0 0 0 2 3 2 0 0 0 0
0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
0 0 4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 4 0 0 0 0
"""
KNAPSACK = """5 20
9 6
11 5
13 9
15 7
4 3
"""
MULTI_KNAPSACK = """2
6 10 3800
100 600 1200 2400 500 2000
8 12 13 64 22 41
8 12 13 75 22 41
3 6 4 18 6 4
5 10 8 32 6 12
5 13 8 42 6 20
5 13 8 48 6 20
0 0 0 0 8 0
3 0 4 0 8 0
3 2 4 0 8 4
3 2 4 8 8 4
80 96 20 36 44 48 10 18 22 24
2 1 0
3 4
5 6
5
"""
TSP = """NAME: burma14
TYPE: TSP
COMMENT: 14-Staedte in Burma (Zaw Win)
DIMENSION: 14
EDGE_WEIGHT_TYPE: GEO
EDGE_WEIGHT_FORMAT: FUNCTION
DISPLAY_DATA_TYPE: COORD_DISPLAY
NODE_COORD_SECTION
   1  16.47       96.10
   2  16.47       94.44
   3  20.09       92.54
   4  22.39       93.37
   5  25.23       97.24
   6  22.00       96.05
   7  20.47       97.02
   8  17.20       96.29
   9  16.30       97.38
  10  14.05       98.12
  11  16.53       97.38
  12  21.52       95.59
  13  19.41       97.13
  14  20.09       94.55
EOF
"""
CVRP = """NAME : P-n16-k8
COMMENT : (Augerat et al, No of trucks: 8, Optimal value: 450)
TYPE : CVRP
DIMENSION : 16
EDGE_WEIGHT_TYPE : EUC_2D
CAPACITY : 35
NODE_COORD_SECTION
 1 30 40
 2 37 52
 3 49 49
 4 52 64
 5 31 62
 6 52 33
 7 42 41
 8 52 41
 9 57 58
 10 62 42
 11 42 57
 12 27 68
 13 43 67
 14 58 48
 15 58 27
 16 37 69
DEMAND_SECTION
1 0
2 19
3 30
4 16
5 23
6 11
7 31
8 15
9 28
10 8
11 8
12 7
13 14
14 6
15 19
16 11
DEPOT_SECTION
 1
 -1
EOF
"""
JOB_SHOP = """# ft06: Fisher & Thompson 1963
6 6
2 1 0 3 1 6 3 7 5 3 4 6
1 8 2 5 4 10 5 10 0 10 3 4
2 5 3 4 5 8 0 9 1 1 4 7
1 5 0 5 2 5 3 3 4 8 5 9
2 9 1 3 4 5 5 4 0 3 3 1
1 3 3 3 5 9 0 10 4 4 2 1
"""
SEQUENCE_ALIGNMENT = """>alpha human haemoglobin alpha, UniProt P69905
MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSHGSAQVKGHG
KKVADALTNAVAHVDDMPNALSALSDLHAHKLRVDPVNFKLLSHCLLVTLAAHLPAEFTP
AVHASLDKFLASVSTVLTSKYR
>beta human haemoglobin beta, UniProt P68871
MVHLTPEEKSAVTALWGKVNVDEVGGEALGRLLVVYPWTQRFFESFGDLSTPDAVMGNPK
VKAHGKKVLGAFSDGLAHLDNLKGTFATLSELHCDKLHVDPENFRLLGNVLVCVLAHHFG
KEFTPPVQAAYQKVVAGVANALAHKYH
>myoglobin human myoglobin, UniProt P02144
MGLSDGEWQLVLNVWGKVEADIPGHGQEVLIRLFKGHPETLEKFDKFKHLKSEDEMKASE
DLKKHGATVLTALGGILKKKGHHEAEIKPLAQSHATKHKIPVKYLEFISECIIQVLQSKH
PGDFGADAQGAMNKALELFRKDMASNYKELGFQG
"""
M_PDTSP = """NAME : twelve-places
TYPE : m-PDTSP
DIMENSION : 12
EDGE_WEIGHT_TYPE : EUC_2D
CAPACITY : 8
DEMAND_DIMENSION : 6
NODE_COORD_SECTION
1 49 89
2 57 49
3 40 78
4 73 43
5 81 12
6 15 83
7 38 89
8 68 91
9 67 38
10 22 29
11 22 81
12 2 26
DEMAND_SECTION
1 0 0 0 0 0 0
2 0 0 0 0 0 0
3 1 0 -5 5 2 0
4 0 0 0 0 0 0
5 0 4 0 0 0 -2
6 0 0 0 0 0 2
7 0 0 5 0 0 0
8 0 0 0 0 -2 0
9 -1 -4 0 0 0 0
10 0 0 0 0 0 0
11 0 0 0 -5 0 0
12 0 0 0 0 0 0
EOF
"""


def _example(name: str, instance: str, **options: str) -> dict[str, Any]:
    return {"name": name, "instance": instance, "options": options}


MODEL_EXAMPLES: dict[str, list[dict[str, Any]]] = {
    "tsptw": [_example("rbg010a, ten places", TSPTW)],
    "assembly-line": [_example("twenty tasks, Otto et al. 2013", ASSEMBLY_LINE)],
    "bin-packing": [_example("nine items", BIN_PACKING)],
    "talent-scheduling": [_example("film105, eighteen scenes", TALENT_SCHEDULING)],
    "open-stacks": [_example("fifteen customers", OPEN_STACKS)],
    "graph-clear": [_example("planar_n20, twenty rooms", GRAPH_CLEAR)],
    "knapsack": [_example("five items", KNAPSACK)],
    "multi-knapsack": [_example("Petersen 1967, six items, ten capacities", MULTI_KNAPSACK)],
    "tsp": [_example("burma14", TSP)],
    "cvrp": [_example("P-n16-k8", CVRP)],
    "job-shop": [_example("ft06: six jobs, six machines", JOB_SHOP)],
    "sequence-alignment": [_example("three human globins", SEQUENCE_ALIGNMENT)],
    "m-pdtsp": [_example("twelve places, six commodities", M_PDTSP)],
    "orienteering": [_example("eight places", ORIENTEERING)],
    "weighted-tardiness": [_example("ten jobs", JOBS, jobs="10")],
}
MODEL_HINTS = {
    "tsptw": "An instance file: the number of places, a row of times for each place, and the opening and closing of each",
    "weighted-tardiness": "An instance file: the times of the jobs, their weights, and their due dates",
    "assembly-line": "An instance file in .alb format",
    "bin-packing": "An instance file: the number of items, the capacity, and the sizes",
    "talent-scheduling": "An instance file: name, numbers of scenes and actors, a row for each actor with the wage last, durations",
    "open-stacks": "An instance file: name, numbers of customers and products, a row of zeros and ones for each customer",
    "graph-clear": "An instance file: numbers of rooms and passages, robots for each room, a matrix of robots for each passage",
    "orienteering": "An instance file: two header lines; for each place its number, x, y, time, profit, ..., opening, closing",
    "knapsack": "An instance file: the number of items, the capacity, and the value and the weight of each item",
    "multi-knapsack": "An instance file of the OR-Library: values, weights and capacities",
    "tsp": "An instance file of the TSPLIB",
    "cvrp": "An instance file of the TSPLIB, with capacity and demands",
    "job-shop": "An instance file: the numbers of jobs and machines; for each job, the machine and time of each operation",
    "sequence-alignment": "The sequences, in FASTA format",
    "m-pdtsp": "An instance file of the TSPLIB, with a column of demands for each commodity",
}
"""What to write for an instance of a model."""
