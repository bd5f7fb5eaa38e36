"""Correlations, partial correlations and p-values, slowly and plainly; no code shared with the program."""
import csv
import math
import operator


def read_table(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def correlations(path):
    """Names, N and R of a table."""
    names, rows = read_table(path)
    unit = []
    for column in zip(*rows):
        values = [float(cell) for cell in column]
        mean = math.fsum(values) / len(values)
        values = [v - mean for v in values]
        length = math.sqrt(math.fsum(v * v for v in values))
        unit.append([v / length for v in values])
    return names, len(rows), [[sum(map(operator.mul, x, y)) for y in unit] for x in unit]


def inverse(matrix):
    """Gauss and Jordan, with pivots."""
    n = len(matrix)
    work = [row[:] + [float(i == j) for j in range(n)] for i, row in enumerate(matrix)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(work[k][i]))
        work[i], work[pivot] = work[pivot], work[i]
        scale = work[i][i]
        work[i] = [v / scale for v in work[i]]
        for k in range(n):
            if k != i and work[k][i] != 0:
                factor = work[k][i]
                work[k] = [a - factor * b for a, b in zip(work[k], work[i])]
    return [row[n:] for row in work]


def partial(r, a, b, given):
    part = [a, b] + given
    p = inverse([[r[i][j] for j in part] for i in part])
    return -p[0][1] / math.sqrt(p[0][0] * p[1][1])


def log_p_z(r, n, k=0):
    """Logarithm of the p-value, Fisher z."""
    z = math.atanh(r) * math.sqrt(n - k - 3)
    p = math.erfc(z / math.sqrt(2))
    if p > 0:
        return math.log(p)
    return -z * z / 2 - math.log(z) + 0.5 * math.log(2 / math.pi) + math.log1p(-1 / z**2 + 3 / z**4)


def log_p_t(r, n, k=0):
    """Logarithm of the p-value, Student t: the incomplete beta function I(1-r², df/2, 1/2), by its
    continued fraction (Lentz), from whichever side it converges."""
    x, a, b = (1 - r) * (1 + r), (n - k - 2) / 2, 0.5
    if x > (a + 1) / (a + b + 2):
        return math.log1p(-math.exp(log_beta(1 - x, b, a)))
    return log_beta(x, a, b)


def log_beta(x, a, b):
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    h = d
    for m in range(1, 100000):
        step = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / (1 + step * d)
        c = 1 + step / c
        h *= d * c
        step = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / (1 + step * d)
        c = 1 + step / c
        h *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return front - math.log(a) + math.log(h)


def expand(report):
    """Gives every separating set of the JSON its members, where they are written by reference."""
    for s in report["separating_sets"]:
        listed = report["neighbourhoods"][s["all_of"]]["members"] if "all_of" in s else report["nodes"]
        without = {s["a"], s["b"]} | set(s.get("but", [])) | set(s.get("all_but", []))
        if "set" not in s:
            s["set"] = [v for v in listed if v not in without]
    return report
