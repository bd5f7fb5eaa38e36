"""The report in a browser: report.py PROGRAM, run by the system's Python with Selenium and Chromium.

Makes reports with the program, opens them in headless Chromium and does what a person would: looks,
searches, clicks, filters, sorts, downloads, uses the keyboard. One table has names that try to run as
code. Nothing may appear in the console, and no request may leave the page. Prints one line for each
check that fails; the last line counts. With DPC_SCREENSHOTS=FOLDER it also leaves pictures there.
"""
import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import xml.dom.minidom

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PROGRAM = os.path.abspath(sys.argv[1])
SHOTS = os.environ.get("DPC_SCREENSHOTS")
EVIL = ['<img src=x onerror="document.title=\'owned\'">', "</script><script>document.title='owned'</script>",
        "\"><svg onload=document.title='owned'>", "a & b", "it's", "Ωμέγα", "遺伝子", "{{x}}", "`${x}`", "<!--", "]]>",
        "javascript:alert(1)"]
passed, failed = 0, 0


def check(condition, text):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {page.where}: {text}")


def wait_for(ready):
    """Whether it comes to be so, however busy the machine is; a minute without is never."""
    for _ in range(1200):
        if ready():
            return True
        time.sleep(0.05)
    return False


# ---- Files ----

def run(*arguments):
    subprocess.run([PROGRAM, *arguments], check=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def simulate(path, nodes, parents, seed):
    run("simulate", "--nodes", str(nodes), "--parents", str(parents), "--samples", "600", "--seed", str(seed),
        "-o", path)


def rename(path, to):
    """The same table with names as people have them: long, of many words, of one, in other scripts."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    kinds = ["total estimated cost of the building {}", "Extraordinarilylongnamewithoutspaces{}", "blood.pressure_systolic_{}",
             "遺伝子{}", "<b>bold & \"quoted\" {}</b>", "naïve Ωμέγα score {}", "x{}"]
    rows[0] = [kinds[i % len(kinds)].format(i) for i in range(len(rows[0]))]
    with open(to, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


def drawn(truth):
    """The variables of a picture: all of a small graph, and those with an edge of a larger one."""
    joined = {end for e in truth["edges"] for end in (e["from"], e["to"])}
    return [i for i, name in enumerate(truth["nodes"]) if len(truth["nodes"]) <= 20 or name in joined]


def hostile(path):
    """A table whose columns have hostile names, each depending on the one before."""
    chance = random.Random(3)
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(EVIL)
        for _ in range(400):
            row = []
            for i in range(len(EVIL)):
                row.append(chance.gauss(0, 1) + (0.7 * row[i - 1] if i % 3 else 0) - (0.6 * row[i - 3] if i > 3 else 0))
            out.writerow(f"{v:.4f}" for v in row)


# ---- The browser ----

class Page:
    def __init__(self, folder):
        options = Options()
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--window-size=1280,900", "--force-device-scale-factor=1"):
            options.add_argument(word)
        options.binary_location = "/usr/bin/chromium"
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.add_experimental_option("prefs", {"download.default_directory": folder,
                                                  "download.prompt_for_download": False})
        self.folder = folder
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.where = ""

    def open(self, path, dark=False):
        self.where = os.path.basename(path)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        self.driver.get_log("performance")
        self.driver.get("file://" + os.path.abspath(path))
        check(self.js("return document.documentElement.dataset.ready") == "yes", "the script did not come to its end")

    def media(self, word):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": word})

    def resize(self, width=0, height=0):
        """To so many pixels; 0: those of the window."""
        if width == 0:
            self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        else:
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def click_mark(self, selector):
        """A click on the middle of something drawn."""
        self.js("""const e = document.querySelector(arguments[0]);
                   const b = (e.querySelector('text, .wide') || e).getBoundingClientRect();
                   const at = {bubbles: true, clientX: b.x + b.width / 2, clientY: b.y + b.height / 2, pointerId: 1};
                   const target = e.querySelector('rect, .wide') || e;
                   for (const kind of ['pointerdown', 'pointerup'])
                       target.dispatchEvent(new PointerEvent(kind, at));
                   target.dispatchEvent(new MouseEvent('click', at));""", selector)

    def slide(self, selector, value):
        self.js("""const e = document.querySelector(arguments[0]); e.value = arguments[1];
                   e.dispatchEvent(new Event('input'));""", selector, value)

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def download(self, selector, name):
        self.find(selector).click()
        path = os.path.join(self.folder, name)
        if not wait_for(lambda: os.path.exists(path) and os.path.getsize(path) > 0):
            check(False, f"{name} was not downloaded; there are {os.listdir(self.folder)}")
            return ""
        with open(path, encoding="utf-8") as file:
            text = file.read()
        os.remove(path)
        return text

    def shoot(self, name):
        if SHOTS:
            self.driver.save_screenshot(os.path.join(SHOTS, name + ".png"))

    def quiet(self):
        """Nothing in the console, nothing asked for but the file itself."""
        lines = [line["message"] for line in self.driver.get_log("browser")]
        check(not lines, f"in the console: {lines[:3]}")
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                check(url.startswith(("file://", "blob:file:", "blob:null")), f"a request left the page: {url[:80]}")


# ---- What a person does ----

def graph_and_panel(truth):
    n, edges = len(truth["nodes"]), truth["edges"]
    check(len(page.all(".node")) == len(drawn(truth)), "other variables are drawn than those with edges")
    check(len(page.all(".edge[data-edge]")) == len(edges), "not every edge is drawn")
    check(len(page.all("#table tbody tr")) == len(edges), "not every edge is in the table")
    index = max(range(n), key=lambda i: sum(truth["nodes"][i] in (e["from"], e["to"]) for e in edges))
    name = truth["nodes"][index]
    parents = {e["from"] for e in edges if e["to"] == name and e["mark"] == "-->"}
    children = {e["to"] for e in edges if e["from"] == name and e["mark"] == "-->"}
    neighbours = {e["from"] if e["to"] == name else e["to"] for e in edges
                  if name in (e["from"], e["to"]) and e["mark"] == "---"}
    blanket = parents | children | neighbours | {
        e["from"] for e in edges if e["to"] in children and e["mark"] == "-->" and e["from"] != name}
    page.click_mark(f'.node[data-node="{index}"]')
    check(page.js("return document.querySelector('#details h2').textContent") == name, "the panel has another name")
    lists = page.js("""return [...document.querySelectorAll('#details h3')].map(h =>
                       [h.textContent, h.nextElementSibling.tagName === 'UL' ?
                        [...h.nextElementSibling.querySelectorAll('button')].map(b => b.textContent) : []])""")
    wanted = {"Parents": parents, "Children": children, "Neighbours without direction": neighbours,
              "Markov blanket": blanket}
    for title, members in lists:
        key = title.rsplit(" (", 1)[0]
        check(set(members) == wanted[key], f"{key} of {name}: {members}, not {wanted[key]}")
    bright = page.js("return document.querySelectorAll('.node:not(.dim)').length")
    check(bright == len(blanket) + 1, f"{bright} variables are bright, not {len(blanket) + 1}")
    page.shoot(page.where + "-node")
    page.keys(Keys.ESCAPE)
    check(page.js("return document.querySelectorAll('.dim').length") == 0, "Escape lets nothing go")


def why(truth):
    joined = {frozenset((e["from"], e["to"])) for e in truth["edges"]}
    page.click_mark('.edge[data-edge="0"]')
    check("survived" in page.text("#details") or "no test" in page.text("#details").lower(), "an edge is not explained")
    names, seen = truth["nodes"], drawn(truth)
    pair = next((i, j) for i in seen for j in seen if j < i and frozenset((names[i], names[j])) not in joined)
    for node in pair:
        page.click_mark(f'.node[data-node="{node}"]')
    check("no edge" in page.text("#details") and "ndependent given" in page.text("#details"),
          "two variables without an edge are not explained")
    page.keys(Keys.ESCAPE)


def search(truth):
    name = truth["nodes"][-1]
    page.keys("/")
    check(page.js("return document.activeElement.id") == "search", "/ does not lead to the search")
    page.keys(name, Keys.ENTER)
    check(page.js("return document.querySelector('#details h2').textContent") == name, f"{name} is not found")
    page.find("#search").clear()
    page.find("#search").send_keys("no such variable", Keys.ENTER)
    check("no variable" in page.text("#count"), "it is not told that nothing was found")
    page.find("#search").send_keys(Keys.ESCAPE)


def filters(truth):
    total = len(truth["edges"])
    page.slide("#strength", 0.5)
    shown = page.js("return document.querySelectorAll('.edge[data-edge]:not(.gone)').length")
    check(0 < shown < total, f"{shown} of {total} edges have a strength of 0.5")
    check(len(page.all("#table tbody tr")) == shown, "the table is not filtered")
    check(f"{shown} of {total}" in page.text("#count"), "the number of edges is not told")
    page.js("document.querySelector('#reset').click()")
    check(page.js("return document.querySelectorAll('.gone').length") == 0, "edges stay hidden")
    page.slide("#evidence", page.js("return document.querySelector('#evidence').max"))
    check(page.js("return document.querySelectorAll('.edge.gone').length") > 0, "evidence filters nothing")
    page.js("document.querySelector('#reset').click()")


def table(truth):
    button = page.find('#table th[data-key="r"] button')
    button.click()
    column = """return [...document.querySelectorAll('#table tbody tr')].map(r =>
                Number(r.cells[3].textContent.replace('−', '-')))"""
    values = page.js(column)
    check(values == sorted(values, reverse=True), "the table is not sorted, largest first")
    page.find('#table th[data-key="r"] button').click()
    values = page.js(column)
    check(values == sorted(values), "the table is not sorted, smallest first")
    word = truth["edges"][0]["from"]
    page.find("#words").send_keys(word)
    rows = page.js("return [...document.querySelectorAll('#table tbody tr')].map(r => r.textContent)")
    check(rows and all(word.lower() in row.lower() for row in rows), "the table is not filtered by a name")
    page.find("#words").send_keys(Keys.CONTROL, "a")
    page.find("#words").send_keys(Keys.DELETE)


def downloads(truth, name):
    rows = list(csv.DictReader(io.StringIO(page.download("#csv", name + "-edges.csv"))))
    wanted = {(e["from"], e["to"], e["mark"]) for e in truth["edges"]}
    check({(r["from"], r["to"], r["mark"]) for r in rows} == wanted, "the CSV has other edges")
    check(all(-1 <= float(r["r"]) <= 1 for r in rows), "the CSV has no r")
    svg = page.download("#svg", name + ".svg")
    picture = xml.dom.minidom.parseString(svg) if svg else None
    check(picture is not None and len(picture.getElementsByTagName("text")) == len(drawn(truth)), "the SVG lacks names")
    page.find("#copy").click()
    check(wait_for(lambda: "copied" in page.text("#copied")), "nothing was copied")


def keyboard():
    page.js("document.querySelector('.node').focus()")
    page.keys(Keys.ENTER)
    check(page.js("return document.querySelectorAll('.node.chosen').length") == 1, "Enter chooses no variable")
    before = page.js("return document.querySelector('#canvas g').getAttribute('transform')")
    page.keys("+")
    check(page.js("return document.querySelector('#canvas g').getAttribute('transform')") != before, "+ does not zoom")
    page.keys("0")
    page.keys(Keys.ESCAPE)
    page.js("document.querySelector('#table tbody tr').focus()")
    page.keys(Keys.ENTER)
    check(page.js("return document.querySelectorAll('.edge.chosen').length") == 1, "Enter chooses no edge")
    page.keys(Keys.ESCAPE)


def mouse():
    transform = "return document.querySelector('#canvas g').getAttribute('transform')"
    page.js("scrollTo(0, 0)")
    before, canvas = page.js(transform), page.find("#canvas")
    ActionChains(page.driver).move_to_element_with_offset(canvas, -200, 150).click_and_hold().move_by_offset(60, 20) \
        .release().perform()
    moved = page.js(transform)
    check(moved != before, "dragging does not move the graph")
    page.js("""document.querySelector('#canvas').dispatchEvent(new WheelEvent('wheel',
               {deltaY: -300, clientX: 300, clientY: 300, cancelable: true}))""")
    check(page.js(transform) != moved, "the wheel does not zoom")
    page.find("#all").click()


def themes():
    colour = "return getComputedStyle(document.body).backgroundColor"
    light = page.js(colour)
    page.find("#theme").click()
    check(page.js(colour) != light, "there is no dark")
    page.shoot(page.where + "-dark")
    page.find("#theme").click()


def effects_of(truth):
    """What may affect an outcome: the variables with a possibly directed path to it, and no others."""
    choose = """for (const [id, value] of [["outcome", arguments[0]], ["cause", arguments[1]]]) {
                  const s = document.getElementById(id); s.value = value; s.dispatchEvent(new Event("change")); }
                return [[...document.querySelectorAll("#effects-table tbody tr")].map(r => r.cells[0].textContent),
                        document.getElementById("effects-none").textContent]"""
    step = {name: set() for name in truth["nodes"]}
    for e in truth["edges"]:
        step[e["to"]].add(e["from"])
        if e["mark"] == "---":
            step[e["from"]].add(e["to"])
    for outcome in list(step)[:20]:
        may, left = set(), [outcome]
        while left:
            new = step[left.pop()] - may - {outcome}
            may |= new
            left += new
        rows, none = page.js(choose, outcome, "")
        check(set(rows) == may and len(rows) == len(may), f"of {outcome} the causes {rows} are shown, not {may}")
        without = len(step) - 1 - len(may)
        check(("no possibly directed path" in none) == (without > 0), f"{outcome}: '{none}', and {without} have no path")
        other = next((name for name in step if name not in may | {outcome}), None)
        if other is not None:
            rows, none = page.js(choose, outcome, other)
            check(not rows and none.endswith(f"from {other} to {outcome}: the effect is 0."), f"{other}: {rows} {none}")


def parts(truth):
    check(f"{len(truth['nodes'])} variables" in page.text("#summary"), "the summary lacks the variables")
    for words in ("alpha", "level 0", "Seconds", "observations"):
        check(words in page.text("#done"), f"what was done lacks {words}")
    effects_of(truth)
    check("BIC" in page.text("#fit"), "the fit is not told")
    check(page.js("return document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the window")
    pdf = page.driver.execute_cdp_cmd("Page.printToPDF", {})["data"]
    check(len(pdf) > 5000, "it does not print")


def variables(truth):
    rows = page.js("return [...document.querySelectorAll('#nodes tbody tr')].map(r => [...r.cells].map(c => c.textContent))")
    wanted = {row["name"]: row for row in truth["node_table"]}
    check(sorted(row[0] for row in rows) == sorted(wanted), "the table of variables has others")
    check(all(abs(float(row[1]) - wanted[row[0]]["r2"]) < 1e-3 for row in rows), "other R² than in JSON")
    check([float(row[1]) for row in rows] == sorted((float(row[1]) for row in rows), reverse=True), "R² is not sorted")
    check(all((row[2] == "") == (wanted[row[0]]["r2_parents"] is None) for row in rows), "other R² by parents than in JSON")
    page.js("document.querySelector('#nodes th[data-key=\"name\"] button').click()")
    check(page.js("return document.querySelector('#nodes th[data-key=\"name\"]').getAttribute('aria-sort')") == "ascending",
          "the table of variables is not sorted by names")
    page.js("document.querySelector('#nodes tbody tr').click()")
    first = page.js("return document.querySelector('#nodes tbody td').textContent")
    check(page.js("return document.querySelector('#details h2').textContent") == first, "a click on a variable of the table")
    check(f"{round(100 * wanted[first]['r2'])} %" in page.text("#details"), "the panel lacks R²")
    page.keys(Keys.ESCAPE)


def methods(truth):
    told = page.js("return [...document.querySelectorAll('#methods-text p')].map(p => p.textContent)")
    check(told == [line for line in truth["methods"].split("\n") if line], "other methods than in JSON")
    page.js("document.querySelector('#copy-methods').click()")
    check(wait_for(lambda: "copied" in page.text("#copied-methods")), "the methods were not copied")


# ---- Paper and phones ----

# Elements that reach beyond the page, other than within something that scrolls; names of words that are
# broken though they are short; and nodes that are not in the picture.
LOOK = """
  const wide = [], broken = [], outside = [], right = document.documentElement.clientWidth + 1;
  const scrolls = (e) => e && e !== document.body && (getComputedStyle(e).overflowX !== 'visible' || scrolls(e.parentElement));
  for (const e of document.querySelectorAll('body *')) {
    const box = e.getBoundingClientRect();
    if (box.width > 0 && box.right > right && !e.closest('svg') && !scrolls(e.parentElement)) wide.push(e.tagName + '#' + e.id);
  }
  for (const e of document.querySelectorAll('td, th, dt, dd, nav a, summary, li button')) {
    const walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
    for (let text; (text = walker.nextNode());)
      for (const word of text.data.matchAll(/[^\\s_.,:;\\/|-]{2,20}/gu)) {
        const range = document.createRange();
        range.setStart(text, word.index); range.setEnd(text, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size > 1) broken.push(word[0]);
      }
  }
  const canvas = document.querySelector('#canvas').getBoundingClientRect();
  for (const e of document.querySelectorAll('.node')) {
    const box = e.getBoundingClientRect();
    if (box.width === 0) continue; // filtered out
    if (box.left < canvas.left - 1 || box.right > canvas.right + 1 || box.top < canvas.top - 1 || box.bottom > canvas.bottom + 1)
      outside.push(e.dataset.node);
  }
  return [wide, broken, outside, document.documentElement.scrollWidth];
"""


def paper():
    """A4 between its margins: nothing is cut off, and no short word is broken."""
    on_paper = lambda: page.js("return document.querySelector('#canvas').hasAttribute('viewBox')")
    page.resize(700, 1000)
    page.media("print")
    check(wait_for(on_paper), "the picture has no box for paper")
    wide, broken, outside, _ = page.js(LOOK)
    check(not wide, f"wider than paper: {wide[:4]}")
    check(not broken, f"broken on paper: {broken[:4]}")
    check(not outside, f"variables that are cut off: {outside[:4]}")
    check(page.js("return [...document.querySelectorAll('#alone')].every(e => e.hidden || e.querySelector('li'))"),
          "paper lacks the variables without edges")
    page.media("")
    check(wait_for(lambda: not on_paper()), "the screen stays paper")
    page.driver.execute_cdp_cmd("Page.printToPDF", {})
    check(wait_for(lambda: not on_paper()), "the screen stays paper after printing")
    page.resize()


def phone(path):
    page.resize(390, 844)
    page.open(path)
    wide, broken, _, width = page.js(LOOK)
    check(not wide and width <= 390, f"wider than a phone: {wide[:4]}, {width}")
    check(not broken, f"broken on a phone: {broken[:4]}")
    page.shoot(page.where + "-phone")
    readable()
    page.resize()


def readable():
    """Names begin 9 pixels high, or larger, and some of them are to be seen; Fit shows all."""
    size = page.js("return 12 * document.querySelector('.node text').getScreenCTM().a")
    check(size >= 8.99, f"names are {size:.1f} pixels high")
    inside = page.js(LOOK)[2]
    check(len(inside) < len(page.all(".node")), "no variable is to be seen")
    check(page.js("return document.querySelector('#part').hidden") == (not inside), "the hint that there is more")
    page.js("document.querySelector('#all').click()")
    check(not page.js(LOOK)[2], "Fit does not show all")


def names_of_people():
    """12, 50 and 200 variables whose names are hard."""
    for n in (12, 50, 200):
        simulate("plain.csv", n, 2, 3)
        rename("plain.csv", f"names{n}.csv")
        run(f"names{n}.csv", "--quiet", "--bootstrap", "5", "-o", f"names{n}.html")
        page.open(f"names{n}.html")
        page.shoot(f"names{n}")
        readable()
        paper()
        phone(f"names{n}.html")
        page.open(f"names{n}.html", dark=True)
        page.shoot(f"names{n}-dark")
        page.quiet()


def folded():
    """1000 variables, most of them alone: these are a list, and the strongest edges are drawn first."""
    simulate("alone.csv", 1000, 0.9, 6)
    run("alone.csv", "--quiet", "--alpha", "0.0001", "-o", "alone.html", "-o", "alone.json")
    with open("alone.json", encoding="utf-8") as file:
        truth = json.load(file)
    page.open("alone.html")
    page.shoot("alone")
    alone = len(truth["nodes"]) - len(drawn(truth))
    check(alone > 100 and len(truth["edges"]) > 300, f"another graph: {alone} alone, {len(truth['edges'])} edges")
    check(page.js("return document.querySelectorAll('.edge[data-edge]').length") == 100, "other than 100 edges are drawn")
    check(page.text("#caption") == f"The picture shows 100 of {len(truth['edges'])} edges, from the strongest down.",
          page.text("#caption"))
    rows = {(row["from"], row["to"]): abs(float(row["r"])) for row in csv.DictReader(io.StringIO(page.download("#csv", "alone-edges.csv")))}
    check(len(rows) == len(truth["edges"]), "the table lacks edges")
    seen = page.js("return [...document.querySelectorAll('.edge[data-edge]')].map(e => Number(e.dataset.edge))")
    pairs = [(truth["edges"][e]["from"], truth["edges"][e]["to"]) for e in seen]
    check(min(rows[pair] for pair in pairs) >= sorted(rows.values())[-100], "not the strongest are drawn")
    check(page.text("#alone summary") == f"{alone} variables without edges", page.text("#alone summary"))
    page.js("document.querySelector('#alone summary').click()")
    check(wait_for(lambda: len(page.all("#alone li")) == alone), "the list of variables without edges")
    page.js("document.querySelector('#alone li button').click()")
    check("Parents (0)" in page.text("#details"), "a click on a variable without edges")
    readable()
    hidden = next(end for i, e in enumerate(truth["edges"]) if i not in seen for end in (e["from"], e["to"])
                  if all(end not in pair for pair in pairs))
    page.find("#search").send_keys(hidden, Keys.ENTER)
    check(page.js("return document.querySelectorAll('.edge[data-edge]').length") == len(truth["edges"]),
          "a variable that is not drawn does not bring all edges")
    check(page.js("return document.querySelector('.node.chosen title').textContent") == hidden, "it is not chosen")
    check(page.js("return document.querySelector('#caption').hidden"), "the picture says that edges are left out")
    check(len(page.all(".node")) == len(drawn(truth)), "variables without edges are drawn")
    page.find("#search").send_keys(Keys.ESCAPE)
    page.slide("#strength", 0.9)
    few = page.js("return document.querySelectorAll('.node:not(.gone)').length")
    check(0 < few < len(drawn(truth)), "variables whose edges are filtered out stay")
    check(f"of {len(truth['edges'])} edges." in page.text("#caption"), page.text("#caption"))
    paper()
    page.quiet()


def everything(path, name, words=()):
    run(path, "--quiet", "--alpha", "0.01", *words, "-o", name + ".html", "-o", name + ".json")
    with open(name + ".json", encoding="utf-8") as file:
        truth = json.load(file)
    page.open(name + ".html")
    page.shoot(name)
    graph_and_panel(truth)
    why(truth)
    search(truth)
    filters(truth)
    table(truth)
    downloads(truth, os.path.splitext(os.path.basename(path))[0])
    keyboard()
    mouse()
    themes()
    parts(truth)
    variables(truth)
    methods(truth)
    page.quiet()


def attack():
    hostile("evil.csv")
    everything("evil.csv", "evil", ("--bootstrap", "10"))
    check(page.js("return document.title").startswith("evil.csv"), "a name has changed the title")
    check(page.js("return document.querySelectorAll('img, iframe, object, embed').length") == 0, "a name became markup")
    check(page.js("return document.scripts.length") == 3, "a name became a script")
    labels = page.js("return [...document.querySelectorAll('.node title')].map(t => t.textContent)")
    check(labels == EVIL, f"names are not shown as they are: {labels}")
    page.slide("#frequency", 1)
    check(page.js("return document.querySelectorAll('.gone').length") > 0, "the frequency filters nothing")


def large():
    """500 variables and 2,000 edges, opened."""
    chance = random.Random(5)
    with open("large.txt", "w", encoding="utf-8") as file:
        pairs = set()
        while len(pairs) < 2000:
            a, b = chance.sample(range(500), 2)
            pairs.add((min(a, b), max(a, b)))
        file.writelines(f"gene{a} {chance.choice(['-->', '---'])} gene{b}\n" for a, b in sorted(pairs))
    run("convert", "large.txt", "large.html")
    page.open("large.html")
    check(len(page.all(".node")) == 500, "not every variable is drawn")
    check(page.js("return document.querySelectorAll('.edge[data-edge]').length") == 2000, "not every edge is drawn")
    page.quiet()
    simulate("d500.csv", 500, 3, 2)
    run("d500.csv", "--quiet", "--alpha", "0.01", "-o", "d500.html")
    page.open("d500.html")
    page.shoot("d500")
    page.quiet()


def pag():
    """Circles, double arrows, and what they mean in words."""
    with open("pag.txt", "w", encoding="utf-8") as file:
        file.write("age o-> pressure\nsex o-> pressure\npressure --> stroke\nweight <-> pressure\n"
                   "weight o-o height\nsalt\n")
    run("convert", "pag.txt", "pag.html")
    page.open("pag.html")
    check(len(page.all(".node")) == 7, "not every variable is drawn")
    check(page.js("return document.querySelectorAll('.edge[data-edge] .circle').length") == 4, "other circles than four")
    check(page.js("return document.querySelectorAll('.edge[data-edge] .tip').length") == 5, "other arrowheads than five")
    check("PAG" in page.text("#summary") and "1 ↔" in page.text("#summary"), f"summary: {page.text('#summary')}")
    legend = page.text("#legend")
    check(all(words in legend for words in ("A causes B", "B does not cause A", "a hidden cause of both", "cannot tell")), legend)
    marks = page.js("return [...document.querySelectorAll('#table tbody td:nth-child(2)')].map(t => t.textContent)")
    check(sorted(marks) == sorted(["o→", "o→", "→", "↔", "o–o"]), f"marks of the table: {marks}")
    page.click_mark(".edge[data-edge]")
    check("cause" in page.text("#details"), f"details: {page.text('#details')}")
    page.shoot("pag")
    drawn = page.download("#svg", "pag.svg")
    check(drawn.count("<circle") == 4, "the SVG has other circles than four")
    check(page.download("#csv", "pag-edges.csv").count("o->") == 2, "the CSV has other marks")
    page.quiet()
    run(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/hidden.csv"), "--latent", "--bootstrap", "20",
        "--quiet", "-o", "hidden.html")
    page.open("hidden.html")
    heads = page.js("return [...document.querySelectorAll('#table thead th')].map(h => h.textContent)")
    check(any("with these marks" in h for h in heads) and not any("forward" in h or "undirected" in h for h in heads),
          f"columns of the table: {heads}")
    edge = page.js("""return [...document.querySelectorAll('#table tbody tr')].map(r => r.children[1].textContent).indexOf('↔')""")
    page.click_mark(f'.edge[data-edge="{edge}"]')
    details = page.text("#details")
    check("the score would fall by" in details and "(R0)" in details, f"no reasons of the marks: {details}")
    check("join the two:" in details and "sleep ↔ mood" in details, f"no marks of the resamples: {details}")
    page.shoot("hidden")
    page.quiet()


def categories():
    """Nominal variables: their borders, levels, edges without a sign, and effects as contrasts and shares."""
    chance = random.Random(5)
    with open("clinic.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["age", "sex", "diet", "dose", "weight"])
        for _ in range(800):
            sex = chance.choice(["female", "male", "male"])
            diet = chance.choices(["vegan", "<b>mixed</b>", "keto"], [3 if sex == "female" else 1, 5, 2])[0]
            age, dose = chance.gauss(45, 12), chance.gauss(2 + (diet == "keto"), 1)
            weight = 60 + 10 * (sex == "male") - 5 * (diet == "vegan") + 0.3 * age - 3 * dose + chance.gauss(0, 4)
            out.writerow([f"{age:.2f}", sex, diet, f"{dose:.3f}", f"{weight:.2f}"])
    run("clinic.csv", "--quiet", "-o", "clinic.html", "-o", "clinic.json", "--knowledge", knowledge_file())
    page.open("clinic.html")
    check(page.js("return [...document.querySelectorAll('.node:has(rect.inner)')].map(n => n.dataset.node)"
                  ".filter(Boolean).sort().join()") == "1,2", "other variables than the nominal ones have two borders")
    check("nominal variable" in page.text("#legend") and "association without a sign" in page.text("#legend"),
          f"legend: {page.text('#legend')}")
    signed = page.js("""return [...document.querySelectorAll(".edge[data-edge]")].map(e =>
        [e.querySelector("title").textContent, !e.classList.contains("none")])""")
    check(len(signed) > 0 and all(sign != ("sex" in title or "diet" in title) for title, sign in signed), f"signs: {signed}")
    page.js("document.querySelector('.node[data-node=\"2\"]').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    check("nominal: " in page.text("#details") and "keto (" in page.text("#details") and "<b>mixed</b>" in page.text("#details"),
          f"details: {page.text('#details')}")
    cells = page.js("""const choose = document.getElementById("outcome"); choose.value = "weight";
        choose.dispatchEvent(new Event("change"));
        return [...document.querySelectorAll("#effects-table tbody tr")].map(r => r.cells[0].textContent)""")
    check("sex = female instead of male" in cells and "diet = keto instead of <b>mixed</b>" in cells, f"contrasts: {cells}")
    shares = page.js("""const choose = document.getElementById("outcome"); choose.value = "diet";
        choose.dispatchEvent(new Event("change"));
        return [...document.querySelectorAll("#effects-table tbody tr")].map(r => r.cells[1].textContent)""")
    check({"vegan", "keto", "<b>mixed</b>"} == set(shares), f"shares: {shares}")
    kinds = page.js("return [...document.querySelectorAll('#nodes tbody tr')].map(r => r.cells[0].textContent + ' ' + r.cells[1].textContent)")
    check("diet nominal" in kinds and "age number" in kinds, f"types: {kinds}")
    check(page.download("#svg", "clinic.svg").count("<rect") == 8, "the SVG has other borders than seven, and paper")
    page.shoot("clinic")
    page.quiet()


def posterior():
    """Probabilities: alone, and beside the resamples of a learned graph."""
    run("sample", "d11.csv", "--quiet", "--seed", "3", "--draws", "200", "--cause", "V1", "-o", "p11.html", "-o", "p11.json")
    with open("p11.json", encoding="utf-8") as file:
        truth = json.load(file)
    page.open("p11.html")
    check(page.find("#posterior").is_displayed(), "the posterior is not shown")
    check(len(page.all("#posterior .chain")) == 4, "the trace has other lines than one for each chain")
    check(len(page.all("#posterior .chart")) == 3, "there are other pictures than trace, scores and edges")
    bars = page.js("return [...document.querySelectorAll('#posterior .chart')].slice(1).map(c => c.querySelectorAll('.bar').length)")
    check(min(bars) > 1, f"bars: {bars}")
    check(page.find("#frequency").get_attribute("hidden") is not None, "without resamples there is a filter by them")
    shown = [e for e in truth["edges"] if (e["forward_probability"] if e["mark"] == "-->" else e["probability"]) >= 0.9]
    page.slide("#probability", 0.9)
    check(page.text("#count").startswith(str(len(shown))), f"{len(shown)} probable edges, not {page.text('#count')}")
    check(len(page.all("#table tbody tr")) == len(shown), "the table has other edges than the picture")
    page.js("document.getElementById('reset').click()")
    effects = page.js("return [...document.querySelectorAll('#posterior table')].at(-1).tBodies[0].rows.length")
    check(effects == len(truth["effects"]), f"effects: {effects}")
    page.shoot("posterior")
    page.quiet()
    run("d11.csv", "--quiet", "--seed", "3", "--bootstrap", "20", "--posterior", "--draws", "100", "-o", "both.html")
    page.open("both.html")
    titles = page.js("return [...document.querySelectorAll('#table th')].map(th => th.dataset.key)")
    check({"probability", "forward_probability", "edge", "forward"} <= set(titles), f"columns: {titles}")
    check(all(page.find(f"#{key}").get_attribute("hidden") is None for key in ("frequency", "probability")), "a filter is missing")
    page.js("document.querySelector('.edge[data-edge]').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    check("resamples" in page.text("#details") and "probability" in page.text("#details"), f"details: {page.text('#details')}")
    page.quiet()


def knowledge_file():
    """Directions, so that the report has effects of sex and diet whatever the data say."""
    with open("known.txt", "w", encoding="utf-8") as file:
        file.write("/knowledge\nrequiredirect\nsex diet\ndiet dose\nsex weight\ndiet weight\n")
    return "known.txt"


def dark():
    page.open("d11.html", dark=True)
    check(page.js("return document.documentElement.classList.contains('dark')"), "it is not dark where the system is")


with tempfile.TemporaryDirectory() as temporary:
    os.chdir(temporary)
    page = Page(temporary)
    try:
        simulate("d11.csv", 11, 2, 4)
        everything("d11.csv", "d11")
        simulate("d50.csv", 50, 3, 4)
        everything("d50.csv", "d50", ("--bootstrap", "20"))
        attack()
        names_of_people()
        folded()
        large()
        pag()
        categories()
        posterior()
        dark()
    finally:
        page.driver.quit()
    os.chdir("/")
print(f"browser: {passed} passed, {failed} failed")
sys.exit(failed > 0)
