"""The golden results, exactly: from the table, and from its correlation matrix."""
import csv

import numpy as np
import pytest
from conftest import ROOT, read_csv

import dualpc

FOLDERS = ["tiny20", "dense40", "paper50", "wide150", "heavy30-copula"]


def options_of(row):
    """The paper's rule, in the order of the columns."""
    return dict(alpha=float(row["alpha"]), method=row["method"], variant=row["variant"],
                test=row["test"], graph=row["graph"], min_ess=float(row["min_ess"]),
                normalize=row["normalize"], orient="relaxed", order="given")


@pytest.mark.filterwarnings("ignore:60 observations of 150 variables")
@pytest.mark.parametrize("folder", FOLDERS)
def test_golden(folder):
    golden = ROOT / "tests/golden" / folder
    names, X = read_csv(golden / "data.csv")
    rows = list(csv.DictReader((golden / "index.csv").read_text().splitlines()))
    assert len(rows) == 24
    for row in rows:
        expected = read_csv(golden / row["file"])[1]
        options = options_of(row)
        result = dualpc.learn(X, names=names, **options)
        assert np.array_equal(result.adjacency, expected), row
        assert len(result.edges) == int(row["edges"])
        assert result.info["tests"] <= int(row["tests"])
        options["normalize"] = "none"
        again = dualpc.learn_correlation(result.correlation, len(X), names=names, **options)
        assert np.array_equal(again.adjacency, expected), row
