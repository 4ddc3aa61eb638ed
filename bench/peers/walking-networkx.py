"""Answers ways on foot by networkx over a graph that pyosmium reads: QUESTIONS EXTRACT MOST_M (walking.ts).

Every node of a walked way is a node of the graph, and a question is one search from the node nearest to its
start, as the documentation of networkx shows it.
"""

import json
import math
import sys

import networkx
import osmium

CLOSED = {"no", "private", "agricultural", "forestry", "military", "emergency"}
WALKED = set(
    "footway path pedestrian steps residential service track living_street unclassified tertiary "
    "secondary primary tertiary_link secondary_link primary_link cycleway bridleway road corridor "
    "platform".split()
)
RADIUS = 6371008.8
CELL = 0.002


def metres(a, b):
    lat1, lon1, lat2, lon2 = (math.radians(v) for v in (*a, *b))
    h = math.sin((lat2 - lat1) / 2) ** 2
    h += math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * RADIUS * math.asin(math.sqrt(min(1, h)))


class Streets(osmium.SimpleHandler):
    def __init__(self):
        super().__init__()
        self.graph = networkx.Graph()
        self.places = {}

    def way(self, way):
        tags = way.tags
        if tags.get("highway") not in WALKED or tags.get("foot") in CLOSED:
            return
        if tags.get("access") in CLOSED and "foot" not in tags:
            return
        nodes = [(n.ref, (n.lat, n.lon)) for n in way.nodes if n.location.valid()]
        self.places.update(nodes)
        for (a, at_a), (b, at_b) in zip(nodes, nodes[1:]):
            self.graph.add_edge(a, b, weight=metres(at_a, at_b))


def main():
    questions_file, extract, most_m = sys.argv[1:4]
    streets = Streets()
    streets.apply_file(extract, locations=True)
    cells = {}
    for node, (lat, lon) in streets.places.items():
        cells.setdefault((int(lat / CELL), int(lon / CELL)), []).append(node)

    def nearest(point):
        at = (point["lat"], point["lon"])
        y, x = int(at[0] / CELL), int(at[1] / CELL)
        near = [n for i in (-1, 0, 1) for k in (-1, 0, 1) for n in cells.get((y + i, x + k), [])]
        return min(near, key=lambda node: metres(streets.places[node], at), default=None)

    def answer(question):
        start = nearest(question["from"])
        lengths = networkx.single_source_dijkstra_path_length(
            streets.graph, start, cutoff=float(most_m)
        )
        found = [lengths.get(nearest(end)) for end in question["to"]]
        return [None if length is None else round(length) for length in found]

    with open(questions_file) as file:
        questions = json.load(file)
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        if line.strip() == "round":
            lengths = [length for each in questions for length in answer(each)]
            print(json.dumps({"answers": lengths}), flush=True)


main()
