
/*
 * The report in the browser. It reads the two blocks of JSON in the page and builds everything else
 * from them. Names of variables are foreign text: they only ever become the text of a node or the
 * value of an attribute, never markup.
 *
 *   data   what `-o FILE.json` has
 *   page   what only the report needs: where nodes and edges are drawn, what is known of each edge,
 *          why it is there, and how every pair without an edge was separated
 */
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const READABLE = 0.75; // the scale at which a picture begins, at least: names are 9 pixels high
  const TOO_MANY = 300; // edges; a picture with more begins with the strongest ones

  const data = JSON.parse(document.getElementById("data").textContent);
  const page = JSON.parse(document.getElementById("page").textContent);
  const names = data.nodes;
  const $ = (id) => document.getElementById(id);

  // ---- Small tools ----

  /* An element with attributes, and children that are elements or text. */
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
    element.append(...children.map((child) => (child instanceof Node ? child : String(child))));
    return element;
  }

  function draw(tag, attributes, ...children) {
    const element = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
    element.append(...children.map((child) => (child instanceof Node ? child : String(child))));
    return element;
  }

  function number(value, digits = 3) {
    if (value === null || value === undefined) return "";
    if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
    const size = Math.abs(value);
    if (size === 0) return "0";
    if (size < 0.001 || size >= 1e6) return value.toExponential(1).replace("-", "−");
    return value.toFixed(size >= 100 ? 1 : digits).replace("-", "−");
  }

  const percent = (share) => `${Math.round(100 * share)} %`;
  const count = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;

  /* A text whose names may be broken behind signs such as _, and within words of more than 20 letters. */
  function soft(text) {
    const pieces = text.split(/(?<=[_.,:;/|-])(?=[^\s_.,:;/|-])/u).flatMap((part) => part.split(/(\S{21,})/u))
      .flatMap((part) => (/^\S{21,}$/u.test(part) ? part.match(/.{1,12}/gsu) : part ? [part] : []));
    return pieces.flatMap((piece, i) => (i > 0 ? [make("wbr"), piece] : [piece]));
  }
  const nameCell = (text) => make("td", { class: "name" }, ...soft(text));

  function save(text, type, name) {
    const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // ---- The edges ----

  const posterior = data.posterior || (data.probabilities ? data : null); // beside a learned graph, or alone
  /* One object for each edge; what is not known is null. */
  // Arrows that the data contradict, that more resamples reverse than keep, or whose reverse is more probable.
  const isReversed = (edge) => Boolean(edge.directed) && edge.backward > edge.forward;
  const isImprobable = (edge) => Boolean(edge.directed) && edge.backward_probability > edge.forward_probability;
  const isDoubtful = (edge) => (edge.evidence !== null && edge.evidence < 0) || isReversed(edge) || isImprobable(edge);
  const KEYS = ["r", "low", "high", "p", "evidence", "edge", "forward", "backward", "undirected"];
  const SHARES = ["edge", "forward", "backward", "undirected"]; // of resamples
  const PROBABILITIES = ["probability", "forward_probability", "backward_probability"];
  const edges = page.rows.map((row, index) => {
    const mark = data.edges[index].mark; // "-->", "---", and in a PAG also "<->", "o->", …
    const edge = { index, from: row[0], to: row[1], mark, directed: mark === "-->" };
    KEYS.forEach((key, k) => { edge[key] = row[3 + k] ?? null; });
    if (!data.bootstrap && posterior) SHARES.forEach((key) => { edge[key] = null; });
    PROBABILITIES.forEach((key) => { edge[key] = data.edges[index][key] ?? null; });
    edge.association = row[3 + KEYS.length] === 1; // r without a sign
    edge.why = page.why ? page.why[index] : null;
    edge.share = edge.directed ? edge.forward : edge.edge;
    edge.sure = edge.share ?? (edge.directed ? edge.forward_probability : edge.probability);
    edge.shown = true;
    return edge;
  });
  const signs = (mark) => ({ "-->": "→", "---": "—", "<->": "↔", "o->": "o→", "o-o": "o–o", "--o": "—o" })[mark];
  const atStart = (mark) => ({ "<": "arrow", o: "circle" })[mark[0]] || "tail";
  const atEnd = (mark) => ({ ">": "arrow", o: "circle" })[mark[2]] || "tail";
  const pag = data.graph_type === "pag" || edges.some((edge) => !["-->", "---"].includes(edge.mark));
  // ": 90 % A ↔ B, 4 % A → B", the most frequent first
  const ALL_MARKS = { "-->": "→", "<--": "←", "<->": "↔", "o->": "o→", "<-o": "←o", "o-o": "o–o", "---": "—", "o--": "o—", "--o": "—o" };
  const resampled = (edge) => {
    const ends = [names[edge.from], names[edge.to]];
    return data.bootstrap.frequencies.find((one) => ends.includes(one.from) && ends.includes(one.to));
  };
  const marksInResamples = (edge) => {
    const row = resampled(edge);
    const seen = Object.keys(ALL_MARKS).filter((mark) => row && row[mark] > 0).sort((a, b) => row[b] - row[a]);
    return seen.map((mark, i) => `${i ? "," : ":"} ${percent(row[mark])} ${row.from} ${ALL_MARKS[mark]} ${row.to}`).join("");
  };
  const fromOtherEnd = (mark) => [...mark].reverse().map((sign) => ({ "<": ">", ">": "<" })[sign] || sign).join("");
  for (const edge of edges) {
    const row = pag && data.bootstrap ? resampled(edge) : null;
    edge.marked = null; // of a PAG: how many resamples have both marks of the edge
    if (row) edge.marked = edge.share = edge.sure = row[row.from === names[edge.from] ? edge.mark : fromOtherEnd(edge.mark)] ?? 0;
  }
  const known = (key) => edges.some((edge) => edge[key] !== null);

  const around = names.map(() => []); // the edges of each node
  for (const edge of edges) {
    around[edge.from].push(edge);
    around[edge.to].push(edge);
  }
  // What the variables are, where some are no plain numbers: {type, levels: [{level, count}], columns, members}.
  const kinds = data.variables || [];
  const isNominal = (node) => kinds[node]?.type === "nominal";
  const levelName = (node, level) => kinds[node]?.levels?.[level]?.level ?? String(level);
  const kindText = (node) => {
    const { type, levels, members } = kinds[node];
    const parts = levels ? levels.map(({ level, count: rows }) => `${level} (${rows.toLocaleString("en")})`) : members || [];
    return parts.length > 0 ? `${type}: ${parts.slice(0, 12).join(", ")}${parts.length > 12 ? ` and ${parts.length - 12} more` : ""}` : type;
  };

  const other = (edge, node) => (edge.from === node ? edge.to : edge.from);

  function family(node) {
    const parents = [], children = [], neighbours = [];
    for (const edge of around[node]) {
      const list = !edge.directed ? neighbours : edge.to === node ? parents : children;
      list.push(other(edge, node));
    }
    const blanket = new Set([...parents, ...children, ...neighbours]);
    for (const child of children)
      for (const edge of around[child])
        if (edge.directed && edge.to === child && edge.from !== node) blanket.add(edge.from);
    return { parents, children, neighbours, blanket: [...blanket].sort((a, b) => a - b) };
  }

  const between = (a, b) => around[a].find((edge) => other(edge, a) === b);

  // ---- Why two nodes are not joined ----

  const places = []; // of each pair in the lists of r and p, and of sets; filled when first asked

  function fillPlaces() {
    let tested = 0, sets = 0;
    for (const kind of page.pairs.kinds) {
      places.push(kind === "-" ? null : [tested, sets]);
      if (kind !== "-") tested++;
      if ("spd".includes(kind)) sets++;
    }
  }

  function list(members) {
    const shown = members.slice(0, 30).map((node) => names[node]);
    const more = members.length - shown.length;
    return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
  }

  function whyNot(a, b) {
    const pairs = page.pairs;
    if (!pairs) return page.nopairs || "How this pair was separated is not part of this report.";
    if (places.length === 0) fillPlaces();
    const i = Math.min(a, b), j = Math.max(a, b);
    const index = i * names.length - (i * (i + 1)) / 2 + (j - i - 1);
    const kind = pairs.kinds[index];
    if (kind === "k") return "Background knowledge leaves no direction for an edge between the two.";
    if (kind === "?" || kind === "-") return "No test has separated the two.";
    const [tested, sets] = places[index];
    const numbers = `partial correlation ${number(pairs.r[tested])}, p = ${number(pairs.p[tested])}`;
    if (kind === "m") return `Independent given nothing: correlation ${number(pairs.r[tested])}, p = ${number(pairs.p[tested])}.`;
    if (kind === "f") return `Independent given all ${names.length - 2} others: ${numbers}.`;
    const words = { s: "all neighbours of one end", p: "a subset of its neighbours", d: "nearly all neighbours of one end" };
    const set = pairs.sets[sets];
    const given = set ? `${list(set)} (${words[kind]})` : words[kind];
    return `Independent given ${given}: ${numbers}.`;
  }

  // ---- The picture ----

  /* What may be drawn: a layout, and the edges that it has, in their order. */
  const views = [[page.layout, edges, `all ${count(edges.length, "edge")}`],
    [page.strongest?.layout, page.strongest?.index.map((index) => edges[index]), `the strongest ${page.strongest?.index.length} edges`]]
    .filter(([layout]) => layout).map(([layout, list, title]) => ({ layout, list, title }));
  let drawn = views[edges.length > TOO_MANY ? views.length - 1 : 0] || null;

  const canvas = $("canvas");
  const scene = draw("g", {});
  const nodeMarks = [], edgeMarks = [];
  const view = { x: 0, y: 0, k: 1 };

  const width = (edge) => (edge.r === null ? 1.2 : 0.7 + 3.8 * Math.abs(edge.r));
  const sign = (edge) => (edge.r === null || edge.r === 0 || edge.association ? "none" : edge.r > 0 ? "plus" : "minus");

  /* A triangle or a circle at the end of the curve, which becomes shorter by it; null of a tail. */
  function tip(points, end, wide) {
    if (end === "tail") return null;
    const size = end === "arrow" ? 7 + 1.6 * wide : 7 + wide;
    const n = points.length, x = points[n - 2], y = points[n - 1];
    let dx = x - points[n - 4], dy = y - points[n - 3];
    if (Math.hypot(dx, dy) < 0.01) { dx = x - points[0]; dy = y - points[1]; }
    const length = Math.hypot(dx, dy) || 1;
    dx /= length; dy /= length;
    const bx = x - dx * size, by = y - dy * size, half = size * 0.38;
    const back = end === "arrow" ? size * 0.8 : size;
    points.splice(-2, 2, x - dx * back, y - dy * back);
    return end === "arrow"
      ? draw("polygon", { class: "tip", points: `${x},${y} ${bx - dy * half},${by + dx * half} ${bx + dy * half},${by - dx * half}` })
      : draw("circle", { class: "circle", cx: (x + bx) / 2, cy: (y + by) / 2, r: size / 2, "stroke-width": Math.min(wide, 2).toFixed(2) });
  }

  /* The same points from the other end. */
  function turned(points) {
    const back = [];
    for (let i = points.length - 2; i >= 0; i -= 2) back.push(points[i], points[i + 1]);
    return back;
  }

  function drawEdge(edge, place) {
    let points = drawn.layout.edges[place].slice();
    const group = draw("g", { class: `edge ${sign(edge)}${isDoubtful(edge) ? " against" : ""}` });
    if (points.length >= 4) {
      const tips = [tip(points, atEnd(edge.mark), width(edge))];
      points = turned(points);
      tips.push(tip(points, atStart(edge.mark), width(edge)));
      points = turned(points);
      const path = `M${points[0]},${points[1]}C${points.slice(2).join(" ")}`;
      group.append(draw("path", { class: "wide", d: path }));
      group.append(draw("path", { class: "line", d: path, "stroke-width": width(edge).toFixed(2) }));
      group.append(...tips.filter(Boolean));
      if (edge.sure !== null) group.setAttribute("opacity", (0.18 + 0.82 * edge.sure).toFixed(2));
    }
    group.append(draw("title", {}, `${names[edge.from]} ${signs(edge.mark)} ${names[edge.to]}`));
    group.dataset.edge = edge.index;
    edgeMarks[edge.index] = group;
    return group;
  }

  function drawNode(node) {
    const [x, y, w, h, label] = drawn.layout.nodes[node], lines = label.split("\n");
    const line = (text, i) => draw("tspan", { x, y: (y + 14 * (i - (lines.length - 1) / 2)).toFixed(1) }, text);
    const group = draw("g", { class: "node", tabindex: "0", role: "button" },
      draw("rect", { x: x - w / 2, y: y - h / 2, width: w, height: h, rx: isNominal(node) ? 0 : 6 }),
      draw("text", { x, y }, ...lines.map(line)), draw("title", {}, kinds[node] ? `${names[node]}, ${kindText(node)}` : names[node]));
    if (isNominal(node)) // a second border
      group.firstElementChild.after(draw("rect", { class: "inner", x: x - w / 2 + 3, y: y - h / 2 + 3, width: Math.max(w - 6, 0), height: Math.max(h - 6, 0) }));
    group.setAttribute("aria-label", names[node]);
    group.dataset.node = node;
    nodeMarks[node] = group;
    return group;
  }

  function drawGraph() {
    if (!drawn) {
      canvas.append(draw("text", { x: 20, y: 40, fill: "currentColor" },
        `${names.length} nodes and ${edges.length} edges are too many to draw.`));
      return;
    }
    nodeMarks.length = edgeMarks.length = 0;
    scene.replaceChildren(...drawn.list.map(drawEdge),
      ...names.map((_, node) => node).filter((node) => drawn.layout.nodes[node]).map(drawNode));
    canvas.replaceChildren(scene);
    begin();
  }

  function chooseView(chosenView) {
    drawn = chosenView;
    $("drawn").value = views.indexOf(drawn);
    drawGraph();
    filter();
    light();
  }

  function prepareViews() {
    $("choose").hidden = views.length < 2;
    $("drawn").replaceChildren(...views.map(({ title }, i) => make("option", { value: i }, title)));
    $("drawn").value = views.indexOf(drawn);
    $("drawn").addEventListener("change", () => chooseView(views[$("drawn").value]));
  }

  /* Variables without edges that are not drawn: a list that opens. */
  const alone = names.map((_, node) => node).filter((node) => around[node].length === 0 && !page.layout?.nodes[node]);

  function foldAlone() {
    $("alone").hidden = alone.length === 0;
    $("alone").firstElementChild.textContent = `${count(alone.length, "variable")} without edges`;
    $("alone").addEventListener("toggle", listAlone);
  }

  function listAlone() {
    if ($("alone").children.length === 1) $("alone").append(buttons(alone));
  }

  function move() {
    const { width: w, height: h } = drawn.layout, right = view.x + view.k * w, below = view.y + view.k * h;
    scene.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.k})`);
    $("part").hidden = view.x >= 0 && view.y >= 0 && right <= canvas.clientWidth && below <= canvas.clientHeight;
  }

  /* The box of a graph is no taller than the graph needs at the width that there is. */
  function limitHeight() {
    const { width: w, height: h } = drawn.layout, margin = 16;
    const k = Math.max(READABLE, Math.min((canvas.clientWidth - 2 * margin) / w, 2));
    canvas.style.setProperty("--needs", `${Math.max(240, k * h + 2 * margin)}px`);
  }

  /* The whole graph, or where its names would be too small, the part of it around the most edges. */
  function begin() {
    limitHeight();
    fitAll();
    if (view.k >= READABLE) return;
    const { width: w, height: h, nodes } = drawn.layout, margin = 16;
    const degree = (node) => around[node].filter((edge) => edgeMarks[edge.index]).length;
    const [x, y] = nodes[nodes.reduce((best, place, node) => (place && (best < 0 || degree(node) > degree(best)) ? node : best), -1)];
    const shift = (room, size, middle) => (room >= size ? (room - size) / 2
      : Math.min(margin, Math.max(room - size - margin, room / 2 - middle)));
    view.k = READABLE;
    view.x = shift(canvas.clientWidth, view.k * w, view.k * x);
    view.y = shift(canvas.clientHeight, view.k * h, view.k * y);
    move();
  }

  function fitAll() {
    const box = canvas.getBoundingClientRect(), margin = 16;
    const { width: w, height: h } = drawn.layout;
    view.k = Math.min((box.width - 2 * margin) / w, (box.height - 2 * margin) / h, 2) || 1;
    view.x = (box.width - view.k * w) / 2;
    view.y = (box.height - view.k * h) / 2;
    move();
  }

  function zoom(factor, x, y) {
    const box = canvas.getBoundingClientRect();
    const px = x === undefined ? box.width / 2 : x - box.left;
    const py = y === undefined ? box.height / 2 : y - box.top;
    const k = Math.min(20, Math.max(0.02, view.k * factor));
    view.x = px - ((px - view.x) * k) / view.k;
    view.y = py - ((py - view.y) * k) / view.k;
    view.k = k;
    move();
  }

  function centre(node) {
    if (!drawn.layout.nodes[node] && views[0].layout.nodes[node]) chooseView(views[0]);
    if (!drawn.layout.nodes[node]) return;
    const box = canvas.getBoundingClientRect(), [x, y] = drawn.layout.nodes[node];
    view.k = Math.max(view.k, 0.9);
    view.x = box.width / 2 - view.k * x;
    view.y = box.height / 2 - view.k * y;
    move();
  }

  const fingers = new Map();
  let dragged = false;

  canvas.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    dragged = false;
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last || !drawn) return;
    const dx = event.clientX - last[0], dy = event.clientY - last[1];
    if (!dragged && Math.hypot(dx, dy) < 4) return;
    if (!dragged) canvas.setPointerCapture(event.pointerId);
    dragged = true;
    canvas.classList.add("moving");
    if (fingers.size === 2) {
      const [still] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const before = Math.hypot(last[0] - still[0], last[1] - still[1]);
      const after = Math.hypot(event.clientX - still[0], event.clientY - still[1]);
      if (before > 0) zoom(after / before, still[0], still[1]);
    } else {
      view.x += dx;
      view.y += dy;
      move();
    }
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  for (const end of ["pointerup", "pointercancel"])
    canvas.addEventListener(end, (event) => {
      fingers.delete(event.pointerId);
      canvas.classList.remove("moving");
    });
  canvas.addEventListener("wheel", (event) => {
    if (!drawn) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0016)), event.clientX, event.clientY);
  }, { passive: false });

  // ---- What is chosen ----

  const chosen = { node: null, before: null, edge: null };

  function buttons(nodes) {
    if (nodes.length === 0) return make("p", { class: "hint" }, "none");
    return make("ul", {}, ...nodes.map((node) => {
      const button = make("button", { type: "button", title: names[node] }, names[node]);
      button.addEventListener("click", () => chooseNode(node));
      return make("li", {}, button);
    }));
  }

  function paragraphs(text) {
    return text.trim().split("\n").map((line) => make("p", {}, line.trim()));
  }

  /* What an edge of a PAG says, in words. */
  function meaning(edge) {
    const from = names[edge.from], to = names[edge.to];
    const causes = { "-->": `${from} is a cause of ${to}.`, "<->": `A hidden variable is a cause of both; neither is a cause of the other.`,
      "o->": `${to} is not a cause of ${from}. ${from} is a cause of ${to}, or a hidden variable is a cause of both, or both.`,
      "o-o": `The data cannot tell which of the two is a cause of the other, or whether a hidden variable is a cause of both.` };
    return causes[edge.mark] || "The data were selected by a common effect of the two, or of their descendants.";
  }

  function tellEdge(edge) {
    const parts = [make("h2", {}, `${names[edge.from]} ${signs(edge.mark)} ${names[edge.to]}`)];
    if (pag) parts.push(make("p", {}, meaning(edge)));
    if (edge.r !== null) {
      const interval = edge.low === null ? "" : `, 95 % interval ${number(edge.low)} to ${number(edge.high)}`;
      parts.push(make("p", {}, edge.association
        ? `Association given the neighbours: ${number(edge.r)}. It has no sign, because one of the two is more than a column of numbers.`
        : `Partial correlation given the neighbours: ${number(edge.r)}${interval}.`));
    }
    if (edge.directed && edge.evidence !== null)
      parts.push(make("p", {}, edge.evidence < 0
        ? `Evidence of the direction: ${number(edge.evidence, 2)}. The data speak against it.`
        : `Evidence of the direction: ${number(edge.evidence, 2)}.`));
    if (isReversed(edge)) parts.push(make("p", {}, "Doubtful: more resamples reverse this arrow than keep it."));
    if (isImprobable(edge)) parts.push(make("p", {}, "Doubtful: the reverse of this arrow is more probable."));
    if (edge.probability !== null)
      parts.push(make("p", {}, `Posterior probability of an edge: ${number(edge.probability)}; of ${names[edge.from]} → ${names[edge.to]} ${number(edge.forward_probability)}, of its reverse ${number(edge.backward_probability)}.`));
    if (edge.edge !== null && pag)
      parts.push(make("p", {}, `Of the resamples ${percent(edge.edge)} join the two${marksInResamples(edge)}.`));
    else if (edge.edge !== null)
      parts.push(make("p", {}, `Of the resamples ${percent(edge.edge)} join the two: ${percent(edge.forward)} with an arrow ${names[edge.from]} → ${names[edge.to]}, ${percent(edge.backward)} with its reverse, ${percent(edge.undirected)} without direction.`));
    parts.push(make("h3", {}, "Why"));
    if (edge.why) parts.push(...paragraphs(edge.why));
    else parts.push(make("p", { class: "hint" }, page.nowhy || "The file has the graph only."));
    return parts;
  }

  /* How probable a pair is that the graph does not join. */
  function tellProbability(a, b) {
    if (!posterior) return [];
    const i = Math.min(a, b), j = Math.max(a, b), row = posterior.probabilities.find((one) => one.a === names[i] && one.b === names[j]);
    return [make("p", {}, row ? `Posterior probability of an edge: ${number(row.edge)}; of ${row.a} → ${row.b} ${number(row.forward)}, of its reverse ${number(row.backward)}. ` +
      `${row.a} is an ancestor of ${row.b} with probability ${number(row.ancestor)}, a descendant with ${number(row.descendant)}.`
      : "No graph that was drawn from the posterior joins the two, by an edge or a path.")];
  }

  function tellPair(a, b) {
    const edge = between(a, b);
    if (edge) return tellEdge(edge);
    return [make("h2", {}, `${names[a]} and ${names[b]}: no edge`), make("p", {}, whyNot(a, b)), ...tellProbability(a, b)];
  }

  function tellNode(node) {
    const { parents, children, neighbours, blanket } = family(node);
    const parts = [make("h2", {}, names[node])], about = data.node_table?.[node];
    if (kinds[node]) parts.push(make("p", {}, ...soft(kindText(node))));
    if (about && about.r2 !== null) parts.push(make("p", {}, `R²: its neighbours explain ${percent(about.r2)} of its variance.`));
    const lists = [["Parents", parents], ["Children", children],
      [pag ? "Other neighbours" : "Neighbours without direction", neighbours], ["Markov blanket", blanket]];
    for (const [title, nodes] of pag ? lists.slice(0, 3) : lists)
      parts.push(make("h3", {}, `${title} (${nodes.length})`), buttons(nodes));
    return parts;
  }

  function tell() {
    const parts = [];
    if (chosen.edge !== null) parts.push(...tellEdge(edges[chosen.edge]));
    if (chosen.node !== null && chosen.before !== null && chosen.before !== chosen.node)
      parts.push(...tellPair(chosen.before, chosen.node), make("hr"));
    if (chosen.node !== null) parts.push(...tellNode(chosen.node));
    if (parts.length === 0)
      parts.push(make("p", { class: "hint" }, "Click a variable to see its parents, children and Markov blanket. Click a second one to see why the two are, or are not, connected. Click an edge to see why it is there. Press Esc to clear."));
    $("details").replaceChildren(...parts);
  }

  /* Only what belongs to the choice stays bright. */
  function light() {
    const near = new Set(), lit = new Set();
    if (chosen.node !== null) {
      near.add(chosen.node);
      family(chosen.node).blanket.forEach((node) => near.add(node));
      if (chosen.before !== null) near.add(chosen.before);
      around[chosen.node].forEach((edge) => lit.add(edge.index));
      for (const child of family(chosen.node).children)
        for (const edge of around[child]) if (edge.directed && edge.to === child) lit.add(edge.index);
    }
    if (chosen.edge !== null) {
      lit.add(chosen.edge);
      near.add(edges[chosen.edge].from).add(edges[chosen.edge].to);
    }
    const any = near.size > 0;
    nodeMarks.forEach((mark, node) => {
      mark.classList.toggle("dim", any && !near.has(node));
      mark.classList.toggle("near", any && near.has(node) && node !== chosen.node);
      mark.classList.toggle("chosen", node === chosen.node);
      mark.classList.remove("found");
    });
    edgeMarks.forEach((mark, index) => {
      mark.classList.toggle("dim", any && !lit.has(index));
      mark.classList.toggle("chosen", index === chosen.edge);
    });
    for (const row of $("table").querySelectorAll("tbody tr"))
      row.classList.toggle("chosen", Number(row.dataset.edge) === chosen.edge);
  }

  function chooseNode(node) {
    chosen.before = chosen.node;
    chosen.node = node;
    chosen.edge = null;
    tell();
    light();
  }

  function chooseEdge(index) {
    Object.assign(chosen, { node: null, before: null, edge: index });
    tell();
    light();
  }

  function letGo() {
    Object.assign(chosen, { node: null, before: null, edge: null });
    tell();
    light();
  }

  canvas.addEventListener("click", (event) => {
    if (dragged) return;
    const node = event.target.closest(".node"), edge = event.target.closest(".edge");
    if (node) chooseNode(Number(node.dataset.node));
    else if (edge) chooseEdge(Number(edge.dataset.edge));
    else letGo();
  });
  canvas.addEventListener("keydown", (event) => {
    const node = event.target.closest(".node");
    if (node && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      chooseNode(Number(node.dataset.node));
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") letGo();
    else if (event.key === "/") { event.preventDefault(); $("search").focus(); }
    else if (!drawn) return;
    else if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else if (event.key === "0") fitAll();
  });

  // ---- Search ----

  function search(text, whole) {
    const wanted = text.trim().toLowerCase();
    if (!wanted) { nodeMarks.forEach((mark) => mark.classList.remove("found")); return; }
    let found = names.indexOf(text);
    if (found < 0) found = names.findIndex((name) => name.toLowerCase() === wanted);
    if (found >= 0 || whole) {
      if (found < 0) found = names.findIndex((name) => name.toLowerCase().includes(wanted));
      if (found >= 0) {
        chooseNode(found);
        if (drawn) centre(found);
      }
      $("count").textContent = found < 0 ? `no variable has “${text}” in its name` : shownCount();
      return;
    }
    nodeMarks.forEach((mark, node) => mark.classList.toggle("found", names[node].toLowerCase().includes(wanted)));
  }

  $("search").addEventListener("input", (event) => search(event.target.value, false));
  $("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter") search(event.target.value, true);
    if (event.key === "Escape") { event.target.value = ""; search("", false); letGo(); event.target.blur(); }
  });

  // ---- Filters ----

  const sliders = {
    strength: { of: (edge) => (edge.r === null ? null : Math.abs(edge.r)), low: 0 },
    evidence: { of: (edge) => (edge.directed ? edge.evidence : null), low: 0 },
    frequency: { of: (edge) => edge.share, low: 0 },
    probability: { of: (edge) => (edge.directed ? edge.forward_probability : edge.probability), low: 0 },
  };

  function prepareSliders() {
    for (const [id, slider] of Object.entries(sliders)) {
      const values = edges.map(slider.of).filter((value) => value !== null);
      const input = $(id);
      if (values.length === 0) {
        input.hidden = true;
        input.previousElementSibling.hidden = true;
        continue;
      }
      if (id === "evidence") {
        const finite = values.filter(Number.isFinite);
        input.min = Math.min(0, Math.floor(Math.min(...finite)));
        input.max = Math.max(1, Math.ceil(Math.max(...finite)));
        input.step = 0.1;
        input.value = input.min;
      }
      slider.low = Number(input.min);
      input.addEventListener("input", filter);
    }
    $("reset").addEventListener("click", () => {
      for (const [id, slider] of Object.entries(sliders)) $(id).value = slider.low;
      filter();
    });
    $("filters").addEventListener("submit", (event) => event.preventDefault());
    $("filters").hidden = !known("r") && !known("evidence") && !known("edge") && !known("probability");
  }

  function shownCount() {
    const shown = edges.filter((edge) => edge.shown).length;
    return shown === edges.length ? count(shown, "edge") : `${shown} of ${count(edges.length, "edge")}`;
  }

  function filter() {
    for (const edge of edges) {
      edge.shown = true;
      for (const [id, slider] of Object.entries(sliders)) {
        const value = slider.of(edge), least = Number($(id).value);
        if (!$(id).hidden && least > slider.low && value !== null && value < least) edge.shown = false;
      }
      if (edgeMarks[edge.index]) edgeMarks[edge.index].classList.toggle("gone", !edge.shown);
    }
    nodeMarks.forEach((mark, node) => mark.classList.toggle("gone",
      around[node].some((edge) => edgeMarks[edge.index]) && !around[node].some((edge) => edgeMarks[edge.index] && edge.shown)));
    $("strength-value").textContent = number(Number($("strength").value), 2);
    $("evidence-value").textContent = number(Number($("evidence").value), 1);
    $("frequency-value").textContent = percent(Number($("frequency").value));
    $("probability-value").textContent = number(Number($("probability").value), 2);
    $("count").textContent = shownCount();
    tellPart();
    fillTable();
  }

  /* A picture without all edges says so, on paper too. */
  function tellPart() {
    const seen = drawn ? drawn.list.filter((edge) => edge.shown).length : edges.length;
    $("caption").hidden = seen === edges.length;
    $("caption").textContent = `The picture shows ${seen} of ${count(edges.length, "edge")}`
      + (drawn && drawn.list.length < edges.length ? ", from the strongest down." : ".");
  }

  // ---- The table of edges ----

  const COLUMNS = [
    ["from", "From", (edge) => names[edge.from]], ["mark", "", (edge) => signs(edge.mark)],
    ["to", "To", (edge) => names[edge.to]], ["r", edges.some((edge) => edge.association) ? "r or association" : "r"], ["low", "low"], ["high", "high"], ["p", "p"],
    ["evidence", "evidence"], ["probability", "probability"], ["forward_probability", "of this direction"], ["backward_probability", "of the reverse"],
    ["edge", "joined"], ["marked", "with these marks"], ["forward", "forward"], ["backward", "backward"], ["undirected", "undirected"],
  ].filter(([key, , text]) => text || (known(key) && !(pag && ["forward", "backward", "undirected"].includes(key))));
  const order = { key: null, down: false };

  function sorted() {
    const column = COLUMNS.find(([key]) => key === order.key);
    const words = $("words").value.trim().toLowerCase();
    const rows = edges.filter((edge) => edge.shown &&
      (!words || names[edge.from].toLowerCase().includes(words) || names[edge.to].toLowerCase().includes(words)));
    if (!column) return rows;
    const value = column[2] || ((edge) => edge[column[0]]);
    const compare = (a, b) => {
      const x = value(a), y = value(b);
      if (x === null || y === null) return (x === null) - (y === null); // what is not known comes last
      const by = typeof x === "string" ? x.localeCompare(y, undefined, { numeric: true }) : x - y;
      return order.down ? -by : by;
    };
    return rows.sort(compare);
  }

  function buildTable() {
    const head = make("tr");
    for (const [key, title, text] of COLUMNS) {
      const button = make("button", { type: "button", "aria-label": `Sort by ${title || "mark"}` }, title || "mark");
      const cell = make("th", { scope: "col", class: text ? "" : "number", "data-key": key }, button);
      button.addEventListener("click", () => {
        order.down = order.key === key ? !order.down : !text;
        order.key = key;
        for (const th of head.children) th.removeAttribute("aria-sort");
        cell.setAttribute("aria-sort", order.down ? "descending" : "ascending");
        fillTable();
      });
      head.append(cell);
    }
    $("table").replaceChildren(make("thead", {}, head), make("tbody"));
  }

  function fillTable() {
    const body = $("table").tBodies[0];
    if (!body) return;
    const rows = document.createDocumentFragment();
    for (const edge of sorted()) {
      const row = make("tr", { tabindex: "0" });
      for (const [key, , text] of COLUMNS)
        row.append(text && key !== "mark" ? nameCell(text(edge))
          : make("td", { class: text ? "" : "number" }, text ? text(edge) : number(edge[key])));
      row.dataset.edge = edge.index;
      row.classList.toggle("chosen", edge.index === chosen.edge);
      rows.append(row);
    }
    body.replaceChildren(rows);
  }

  for (const kind of ["click", "keydown"])
    $("table").addEventListener(kind, (event) => {
      const row = event.target.closest("tbody tr");
      if (row && (kind === "click" || event.key === "Enter")) chooseEdge(Number(row.dataset.edge));
    });
  $("words").addEventListener("input", fillTable);

  function csv() {
    const field = (text) => (/[",\n\r;\t]|^ | $/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const value = (x) => (x === null ? "" : Number.isFinite(x) ? String(x) : x > 0 ? "Inf" : "-Inf");
    const keys = [...KEYS, ...(posterior ? PROBABILITIES : [])], lines = [["from", "to", "mark", ...keys].join(",")];
    for (const edge of sorted())
      lines.push([field(names[edge.from]), field(names[edge.to]), edge.mark,
        ...keys.map((key) => value(edge[key]))].join(","));
    return lines.join("\n") + "\n";
  }

  /* Puts a text on the clipboard, and says so in an element. */
  async function copy(text, where, words) {
    try {
      await navigator.clipboard.writeText(text);
    } catch { // the older way, where the page may not use the clipboard
      const area = make("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    where.textContent = words;
    setTimeout(() => { where.textContent = ""; }, 3000);
  }

  // ---- The table of variables ----

  const NODE_COLUMNS = [["name", "Variable"], ...(kinds.length > 0 ? [["type", "Type"]] : []), ["r2", "R²"], ["r2_parents", "R² by parents"], ["neighbours", "neighbours"],
    ["parents", "parents"], ["children", "children"]];

  function nodeTable() {
    const rows = (data.node_table || []).map((row, node) => ({ ...row, node }));
    if (rows.length === 0) return;
    $("variables").hidden = document.querySelector('nav a[href="#variables"]').hidden = false;
    const body = make("tbody"), head = make("tr");
    const fill = (key, down) => {
      const by = (a, b) => (typeof a === "string" ? a.localeCompare(b, undefined, { numeric: true }) : (a ?? -1) - (b ?? -1));
      rows.sort((a, b) => (down ? by(b[key], a[key]) : by(a[key], b[key])) || a.node - b.node);
      body.replaceChildren(...rows.map((row) => {
        const line = make("tr", { tabindex: "0" }, nameCell(row.name), ...NODE_COLUMNS.slice(1).map(([column]) =>
          make("td", { class: column === "type" ? "" : "number" }, column.startsWith("r2") ? number(row[column]) : row[column])));
        line.dataset.node = row.node;
        return line;
      }));
      for (const cell of head.children) cell.removeAttribute("aria-sort");
      head.querySelector(`[data-key="${key}"]`).setAttribute("aria-sort", down ? "descending" : "ascending");
    };
    for (const [key, title] of NODE_COLUMNS) {
      const button = make("button", { type: "button", "aria-label": `Sort by ${title}` }, title);
      const word = key === "name" || key === "type";
      const cell = make("th", { scope: "col", class: word ? "" : "number", "data-key": key }, button);
      button.addEventListener("click", () => fill(key, (cell.getAttribute("aria-sort") || (word ? "descending" : "ascending")) === "ascending"));
      head.append(cell);
    }
    for (const kind of ["click", "keydown"])
      body.addEventListener(kind, (event) => {
        if (kind === "keydown" && event.key !== "Enter") return;
        const node = Number(event.target.closest("tr").dataset.node);
        chooseNode(node);
        if (drawn) centre(node);
        $("graph").scrollIntoView();
      });
    $("nodes").replaceChildren(make("thead", {}, head), body);
    fill("r2", true);
  }

  // ---- The picture as a file ----

  function picture() {
    const colours = { node: "#f3f5f8", "node-line": "#6b7785", ink: "#1b1f24", plus: "#0072b2", minus: "#d55e00", none: "#4a4a4a" };
    const { width: w, height: h } = drawn.layout, margin = 12;
    const root = draw("svg", { viewBox: `${-margin} ${-margin} ${w + 2 * margin} ${h + 2 * margin}`, width: w, height: h });
    const copied = scene.cloneNode(true);
    copied.removeAttribute("transform");
    copied.querySelectorAll(".gone, .wide").forEach((element) => element.remove());
    for (const rect of copied.querySelectorAll(".node rect")) {
      rect.setAttribute("fill", rect.classList.contains("inner") ? "none" : colours.node);
      rect.setAttribute("stroke", colours["node-line"]);
    }
    for (const text of copied.querySelectorAll(".node text"))
      for (const [key, value] of Object.entries({ fill: colours.ink, "font-family": "Helvetica, Arial, sans-serif",
        "font-size": 12, "text-anchor": "middle", "dominant-baseline": "central" })) text.setAttribute(key, value);
    for (const edge of copied.querySelectorAll(".edge")) {
      const colour = colours[["plus", "minus"].find((word) => edge.classList.contains(word)) || "none"];
      const line = edge.querySelector(".line");
      if (line) { line.setAttribute("stroke", colour); line.setAttribute("fill", "none"); }
      if (line && edge.classList.contains("against")) line.setAttribute("stroke-dasharray", "6 4");
      for (const head of edge.querySelectorAll(".tip")) head.setAttribute("fill", colour);
      for (const circle of edge.querySelectorAll(".circle")) {
        circle.setAttribute("fill", "#ffffff");
        circle.setAttribute("stroke", colour);
      }
    }
    for (const element of copied.querySelectorAll("*"))
      for (const name of ["class", "tabindex", "role", "data-node", "data-edge"]) element.removeAttribute(name);
    root.append(draw("rect", { x: -margin, y: -margin, width: w + 2 * margin, height: h + 2 * margin, fill: "#ffffff" }), copied);
    return new XMLSerializer().serializeToString(root);
  }

  const file = (page.title.split(/[\\/]/).pop().replace(/\.[^.]*$/, "") || "graph").replace(/[^\p{L}\p{N}._-]+/gu, "_");
  $("svg").addEventListener("click", () => drawn && save(picture(), "image/svg+xml", `${file}.svg`));
  $("csv").addEventListener("click", () => save(csv(), "text/csv", `${file}-edges.csv`));
  $("copy").addEventListener("click", () => copy(csv(), $("copied"), `${count(sorted().length, "edge")} copied`));
  $("in").addEventListener("click", () => drawn && zoom(1.25));
  $("out").addEventListener("click", () => drawn && zoom(0.8));
  $("all").addEventListener("click", () => drawn && fitAll());

  // ---- Legend ----

  function legend() {
    const sample = (classes, opacity) => {
      const group = draw("g", { class: `edge ${classes}`, opacity: opacity || 1 },
        draw("path", { class: "line", d: "M1,6L27,6", "stroke-width": 2.4 }));
      if (!classes.includes("open")) group.append(draw("polygon", { class: "tip", points: "34,6 25,2 25,10" }));
      if (classes.includes("double")) group.append(draw("polygon", { class: "tip", points: "0,6 9,2 9,10" }));
      const ring = (cx) => group.append(draw("circle", { class: "circle", cx, cy: 6, r: 4, "stroke-width": 1.6 }));
      if (classes.includes("ring")) ring(5);
      if (classes.includes("rings")) ring(29);
      return draw("svg", { width: 36, height: 12, "aria-hidden": "true" }, group);
    };
    const items = [];
    if (edges.some((edge) => edge.directed)) items.push([sample("none"), pag ? "A causes B" : "directed"]);
    if (edges.some((edge) => edge.mark === "---")) items.push([sample("none open"), "direction open"]);
    if (edges.some((edge) => edge.mark === "<->")) items.push([sample("none double"), "a hidden cause of both: neither causes the other"]);
    const half = (edge) => edge.mark === "o->" || edge.mark === "<-o";
    if (edges.some(half)) items.push([sample("none ring"), "B does not cause A"]);
    if (edges.some((edge) => edge.mark.includes("o") && !half(edge))) items.push([sample("none open rings"), "cannot tell"]);
    if (edges.some(isDoubtful)) items.push([sample("none against"), "doubtful direction: the data contradict it, more resamples reverse it, or its reverse is more probable"]);
    if (edges.some((edge) => sign(edge) === "plus")) items.push([sample("plus open"), "positive correlation, given the neighbours"]);
    if (edges.some((edge) => sign(edge) === "minus")) items.push([sample("minus open"), "negative correlation, given the neighbours"]);
    if (edges.some((edge) => edge.association)) items.push([sample("none open"), "association without a sign"]);
    if (names.some((_, node) => isNominal(node)))
      items.push([draw("svg", { width: 36, height: 14, "aria-hidden": "true" }, draw("g", { class: "node" },
        draw("rect", { x: 6, y: 1, width: 24, height: 12 }), draw("rect", { class: "inner", x: 8, y: 3, width: 20, height: 8 }))), "nominal variable"]);
    if (known("r")) items.push(["", "Line width: strength"]);
    if (known("edge")) items.push([sample("plus", 0.3), "faint: rarely found in bootstrap samples"]);
    else if (known("probability")) items.push([sample("plus", 0.3), "faint: less probable"]);
    $("legend").replaceChildren(...items.map(([mark, text]) => make("div", {}, mark, text)));
    $("legend").hidden = items.length === 0;
  }

  // ---- Effects ----

  /* {cause, outcome, term, share, identified, least, most, values, more}: from the page, or from the JSON of a file.
     Of a nominal cause the term has its contrast, of a nominal outcome `share` is the level whose share changes. */
  function effectRows() {
    const most = (values) => Math.max(...values.map(([effect]) => Math.abs(effect ?? -1)));
    if (page.effects)
      return page.effects.rows.map(([cause, outcome, identified, least, values, all, contrast = -1, baseline = -1, level = -1]) =>
        ({ cause: names[cause], outcome: names[outcome], identified: identified === 1, least, most: most(values), values, more: all - values.length,
          term: contrast < 0 ? names[cause] : `${names[cause]} = ${levelName(cause, contrast)} instead of ${levelName(cause, baseline)}`,
          share: level < 0 ? "" : levelName(outcome, level) }));
    if (!Array.isArray(data.effects) || posterior === data) return []; // those of a posterior are in its own part
    return data.effects.filter((row) => row.possible !== false).map((row) => ({ cause: row.cause, outcome: row.outcome, identified: row.identified,
      term: row.contrast === undefined ? row.cause : `${row.cause} = ${row.contrast} instead of ${row.baseline}`, share: row.level ?? "",
      least: row.min_abs, most: row.max_abs, more: 0, values: (row.effects || []).map((one) => [one.effect ?? one.standardised, one.low, one.high]) }));
  }

  /* What is said where a row is missing: 0 by the graph, unless rows were left out. */
  function withoutPath(outcome, cause, count, none) {
    if (!page.effects || !page.effects.complete) return "";
    if (cause) return `The graph has no possibly directed path from ${cause} to ${outcome}: the effect is 0.`;
    if (none) return `Nothing affects ${outcome}: the graph has no possibly directed path to it.`;
    return count > 0 ? `The graph has no possibly directed path from the other ${count} variables to ${outcome}: the effect is 0.` : "";
  }

  /* Variables that no row is about; blocks of columns have no effects. */
  function without(outcome, rows) {
    const causes = new Set(rows.map((row) => row.cause));
    return names.filter((name, node) => name !== outcome && !causes.has(name) && kinds[node]?.type !== "block").length;
  }

  function effectText(row) {
    const known = (x) => x !== null && x !== undefined;
    const values = row.values.map(([effect, low, high]) => known(effect)
      ? number(effect) + (known(low) ? ` (${number(low)} to ${number(high)})` : "") : "no estimate");
    return values.concat(row.more > 0 ? [`and ${row.more} more`] : []).join("; ");
  }

  function effects() {
    const all = effectRows();
    if (!page.effects && all.length === 0) return;
    $("effects").hidden = false;
    document.querySelector('nav a[href="#effects"]').hidden = false;
    const options = () => names.map((name) => make("option", { value: name }, name));
    $("outcome").replaceChildren(...options());
    $("cause").replaceChildren(make("option", { value: "" }, "all causes"), ...options());
    const most = names.map((name) => all.filter((row) => row.outcome === name).length);
    $("outcome").value = names[most.indexOf(Math.max(...most))];
    const show = () => {
      const outcome = $("outcome").value, cause = $("cause").value, body = make("tbody");
      const rows = all.filter((row) => row.outcome === outcome && (!cause || row.cause === cause))
        .sort((a, b) => (b.least ?? -1) - (a.least ?? -1) || (b.most ?? -1) - (a.most ?? -1));
      const shares = rows.some((row) => row.share);
      for (const row of rows)
        body.append(make("tr", {}, nameCell(row.term), ...(shares ? [nameCell(row.share)] : []),
          make("td", { class: "number" }, number(row.least)), make("td", {}, row.identified ? "yes" : "no"),
          make("td", { class: "name" }, effectText(row))));
      const titles = ["cause", ...(shares ? [`share of ${outcome} =`] : []), "smallest size", "identified", "possible effects (95 % interval)"];
      $("effects-table").replaceChildren(rows.length === 0 ? "" : make("table", {},
        make("thead", {}, make("tr", {}, ...titles.map((title, i) => make("th", { scope: "col", class: titles[i] === "smallest size" ? "number" : "" }, title)))), body));
      $("effects-none").textContent = cause === outcome ? "" : cause && rows.length > 0 ? "" : withoutPath(outcome, cause, without(outcome, rows), rows.length === 0);
    };
    for (const id of ["outcome", "cause"]) $(id).addEventListener("change", show);
    $("effects-unit").textContent = page.effects && !page.effects.units
      ? "In standard deviations of the outcome per standard deviation of the cause."
      : "In units of the outcome per unit of the cause. The intervals take the graph as given."
        + (names.some((_, node) => isNominal(node)) ? " Of a nominal cause: one level instead of its most frequent one. Of a nominal outcome: the change of the share of a level." : "");
    show();
  }

  // ---- Posterior ----

  const spread = (values) => [Math.min(...values), Math.max(...values)];

  /* The score of each draw, a line for each chain. */
  function traceChart({ scores, step }) {
    const w = 640, h = 200, left = 64, bottom = 24, top = 8, right = 8, draws = Math.max(...scores.map((chain) => chain.length));
    const [low, high] = spread(scores.flat()), range = high - low || 1;
    const x = (i) => left + (i / Math.max(draws - 1, 1)) * (w - left - right), y = (score) => top + ((high - score) / range) * (h - top - bottom);
    return draw("svg", { class: "chart", viewBox: `0 0 ${w} ${h}`, width: w, height: h, role: "img", "aria-label": `Scores of the draws of ${scores.length} chains, from ${number(low)} to ${number(high)}` },
      ...scores.map((chain, c) => draw("polyline", { class: `chain chain-${c % 4}`, points: chain.map((score, i) => `${x(i).toFixed(1)},${y(score).toFixed(1)}`).join(" ") })),
      ...[high, low].map((score) => draw("text", { x: left - 6, y: y(score) + 4, "text-anchor": "end" }, number(score, 1))),
      draw("text", { x: left, y: h - 6 }, "draw 1"), draw("text", { x: w - right, y: h - 6, "text-anchor": "end" }, ((draws - 1) * step + 1).toLocaleString("en")));
  }

  /* How often each value comes. */
  function histogram(values, label) {
    const w = 300, h = 200, bottom = 24, top = 8, [low, high] = spread(values);
    const whole = values.every(Number.isInteger), range = high - low + (whole ? 1 : 0), bins = whole ? Math.min(range, 24) : 24;
    const counts = Array(bins).fill(0), text = (value) => (whole ? value.toLocaleString("en") : number(value, 1));
    for (const value of values) counts[Math.min(bins - 1, Math.floor(((value - low) / (range || 1)) * bins))]++;
    const most = Math.max(...counts), wide = w / bins;
    return draw("svg", { class: "chart", viewBox: `0 0 ${w} ${h}`, width: w, height: h, role: "img", "aria-label": `${label}: from ${number(low)} to ${number(high)}` },
      ...counts.map((found, i) => draw("rect", { class: "bar", x: (i * wide + 0.5).toFixed(1), width: (wide - 1).toFixed(1),
        y: (top + (1 - found / most) * (h - top - bottom)).toFixed(1), height: ((found / most) * (h - top - bottom)).toFixed(1) })),
      draw("text", { x: 2, y: h - 6 }, text(low)), draw("text", { x: w - 2, y: h - 6, "text-anchor": "end" }, text(high)));
  }

  function tableOf(titles, rows) {
    return make("div", { class: "scroll" }, make("table", {},
      make("thead", {}, make("tr", {}, ...titles.map(([title, kind]) => make("th", { scope: "col", class: kind }, title)))),
      make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((value, i) =>
        (titles[i][1] === "number" ? make("td", { class: "number" }, number(value)) : nameCell(value))))))));
  }

  /* Pairs that the graph does not join, and that may well be joined. */
  function nearlyJoined() {
    const at = new Map(names.map((name, node) => [name, node])), least = 0.1;
    const rows = posterior.probabilities.filter((row) => row.edge >= least && !between(at.get(row.a), at.get(row.b)))
      .sort((p, q) => q.edge - p.edge);
    if (rows.length === 0) return [];
    return [make("h3", {}, "Probable edges that the graph does not have"),
      tableOf([["a", "name"], ["b", "name"], ["edge", "number"], ["a → b", "number"], ["b → a", "number"]],
        rows.slice(0, 100).map((row) => [row.a, row.b, row.edge, row.forward, row.backward]))];
  }

  function posteriorEffects() {
    const rows = posterior.effects || [];
    if (rows.length === 0) return [];
    return [make("h3", {}, "Total effects"),
      make("p", { class: "hint" }, "Over all graphs that were drawn, those without an effect included. The interval holds the middle 95 % of the draws."),
      tableOf([["cause", "name"], ["outcome", "name"], ["mean", "number"], ["sd", "number"], ["low", "number"], ["high", "number"], ["probability of any effect", "number"]],
        rows.map((row) => [row.cause, row.outcome, row.mean, row.sd, row.low, row.high, row.nonzero]))];
  }

  function tellPosterior() {
    if (!posterior) return;
    $("posterior").hidden = document.querySelector('nav a[href="#posterior"]').hidden = false;
    const { settings, chains, n_edges: size } = posterior, figure = (title, chart) => make("div", {}, make("h3", {}, title), chart);
    const parts = [make("div", { class: "columns" },
      make("div", {}, terms([["chains", chains.length], ["draws of each", chains[0]?.draws], ["score", settings.score], ["prior", settings.prior],
        ["candidate parents of each variable, at most", settings.candidates], ["seed", settings.seed]])),
      make("div", {}, terms([["edges of a graph, mean", number(size.mean, 1)], ["95 % interval", `${size.low} to ${size.high}`],
        ["largest R-hat", number(posterior.rhat)], ["fewest effective draws", posterior.ess === null ? null : Math.round(posterior.ess).toLocaleString("en")]])))];
    if (page.trace?.scores.length > 0)
      parts.push(make("div", { class: "figures" }, figure("Score of each draw, by chain", traceChart(page.trace)),
        figure("Scores", histogram(page.trace.scores.flat(), "Scores")), figure("Number of edges", histogram(page.trace.edges.flat(), "Number of edges"))));
    parts.push(...nearlyJoined(), ...posteriorEffects());
    $("posterior-text").replaceChildren(...parts);
  }

  // ---- Fit ----

  function terms(rows) {
    return make("dl", {}, ...rows.filter(([, value]) => value !== undefined && value !== null && value !== "")
      .flatMap(([key, value]) => [make("dt", {}, key), make("dd", {}, value)]));
  }

  function fit() {
    const fit = data.fit;
    if (!fit) return;
    $("fit").hidden = false;
    document.querySelector('nav a[href="#fit"]').hidden = false;
    const parts = [terms([["log-likelihood", number(fit.log_likelihood, 1)], ["BIC", number(fit.bic, 1)],
      ["parameters", fit.parameters], ["independences that the graph implies", fit.implied],
      ["of these against the data", fit.exceed]])];
    if (Array.isArray(fit.largest) && fit.largest.length > 0) {
      parts.push(make("h3", {}, "Pairs without an edge that the data would join most"));
      const body = make("tbody");
      for (const row of fit.largest) {
        const line = make("tr", { tabindex: "0" }, nameCell(`${row.a}, ${row.b}`),
          nameCell((row.set || []).join(", ") || "nothing"),
          make("td", { class: "number" }, number(row.r)), make("td", { class: "number" }, number(row.z, 1)),
          make("td", { class: "number" }, number(row.p)));
        const go = () => { chosen.node = names.indexOf(row.a); chooseNode(names.indexOf(row.b)); $("graph").scrollIntoView(); };
        line.addEventListener("click", go);
        line.addEventListener("keydown", (event) => { if (event.key === "Enter") go(); });
        body.append(line);
      }
      parts.push(make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {},
        make("th", { scope: "col" }, "Pair"), make("th", { scope: "col" }, "given its parents"),
        ...["r", "z", "p"].map((t) => make("th", { scope: "col", class: "number" }, t)))), body)));
    }
    $("fit-text").replaceChildren(...parts);
  }

  // ---- Methods ----

  function methods() {
    if (!data.methods) return;
    $("methods").hidden = document.querySelector('nav a[href="#methods"]').hidden = false;
    $("methods-text").replaceChildren(...data.methods.split("\n").filter(Boolean).map((line) => make("p", {}, line)));
    $("copy-methods").addEventListener("click", () => copy(data.methods, $("copied-methods"), "copied"));
  }

  // ---- What was done ----

  /* Tests of each level as bars, edges left after it as a line. */
  function chart(levels) {
    const w = 420, h = 170, left = 8, bottom = 34, top = 18;
    const most = Math.max(...levels.map((level) => level.tests), 1);
    const edgesMost = Math.max(...levels.map((level) => level.left), 1);
    const step = (w - 2 * left) / levels.length, tall = h - top - bottom;
    const root = draw("svg", { class: "chart", viewBox: `0 0 ${w} ${h}`, width: w, height: h, role: "img",
      "aria-label": `Tests and edges of each level: ${levels.map((l, i) => `level ${i}: ${l.tests} tests, ${l.left} edges left`).join("; ")}` });
    const points = [];
    levels.forEach((level, i) => {
      const x = left + i * step, bar = (level.tests / most) * tall;
      root.append(draw("rect", { class: "bar", x: x + step * 0.18, y: top + tall - bar, width: step * 0.64, height: Math.max(bar, 0.5) }),
        draw("text", { x: x + step / 2, y: top + tall - bar - 4, "text-anchor": "middle" }, level.tests.toLocaleString("en")),
        draw("text", { x: x + step / 2, y: h - bottom + 15, "text-anchor": "middle" }, `level ${i}`));
      points.push([x + step / 2, top + tall - (level.left / edgesMost) * tall]);
      root.append(draw("text", { x: x + step / 2, y: h - bottom + 29, "text-anchor": "middle" }, `${level.left.toLocaleString("en")} left`));
    });
    root.append(draw("polyline", { class: "mark", points: points.map((p) => p.join(",")).join(" ") }),
      ...points.map(([x, y]) => draw("circle", { class: "point", cx: x, cy: y, r: 3 })));
    return root;
  }

  function done() {
    const columns = [], info = data.info || {}, part = (title, ...content) =>
      columns.push(make("div", {}, make("h3", {}, title), ...content));
    part("Data", terms([["file", page.title], ["observations", data.n_obs?.toLocaleString("en")],
      ["variables", names.length.toLocaleString("en")]]),
    ...[...(info.warnings || []), ...(posterior?.warnings || [])].map((text) => make("p", { class: "warning" }, text)),
    ...(info.warnings && info.warnings.length === 0 ? [make("p", { class: "hint" }, "The audit found nothing to warn of.")] : []));
    if (data.settings)
      part("Settings", terms(Object.entries(data.settings).map(([key, value]) =>
        [key.replaceAll("_", "-"), value === null ? "none" : typeof value === "object" ? JSON.stringify(value) : value])));
    if (info.levels && info.levels.length > 0)
      part(`Tests and edges per level (${info.tests.toLocaleString("en")} tests)`, chart(info.levels),
        make("p", { class: "hint" }, "Bars: tests of the level. Line: edges left after it."));
    if (info.steps) part("Search", terms([["score", number(info.score, 1)], ...Object.entries(info.steps)]));
    if (data.bootstrap)
      part("Bootstrap", terms([["resamples", data.bootstrap.resamples], ["seed", data.bootstrap.seed],
        ["rows in each", data.bootstrap.rows], ["edges with a frequency of at least", data.bootstrap.min_frequency]]));
    if (info.seconds)
      part("Seconds", terms(Object.entries(info.seconds).filter(([, value]) => typeof value === "number")
        .map(([key, value]) => [key, value.toFixed(3)])));
    part("Program", terms([["dualpc", page.version], ["written", page.written]]));
    $("done-text").replaceChildren(make("div", { class: "columns" }, ...columns));
  }

  // ---- Beginning ----

  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const paint = (on) => document.documentElement.classList.toggle("dark", on);
  paint(dark.matches);
  dark.addEventListener("change", () => paint(dark.matches));
  /* Paper has a size that the script does not know: there the picture has a box, which fits into any. */
  function forPaper(on) {
    paint(!on && dark.matches);
    if (!drawn) return;
    const { width: w, height: h } = drawn.layout;
    if (on) scene.removeAttribute("transform");
    else move();
    if (on) canvas.setAttribute("viewBox", `-4 -4 ${w + 8} ${h + 8}`);
    else canvas.removeAttribute("viewBox");
    canvas.style.maxWidth = on ? `${1.5 * w + 8}px` : "";
    if (on) listAlone();
    if (on) $("alone").open = true;
  }
  window.addEventListener("beforeprint", () => forPaper(true));
  window.addEventListener("afterprint", () => forPaper(false));
  window.matchMedia("print").addEventListener("change", (event) => forPaper(event.matches));
  $("theme").addEventListener("click", () => paint(!document.documentElement.classList.contains("dark")));

  const directed = edges.filter((edge) => edge.directed).length;
  const pagCounts = () => ["-->", "<->", "o->", "o-o", "--o", "---"].map((mark) => [edges.filter((edge) => edge.mark === mark).length, signs(mark)])
    .filter(([found]) => found > 0).map(([found, sign]) => `${found} ${sign}`).join(", ");
  const verdict = (page.verdict || "").split("\n").filter(Boolean);
  $("verdict").hidden = verdict.length === 0;
  $("verdict").replaceChildren(...verdict.map((line) => make("p", {}, line)));
  $("summary").textContent = [pag ? "PAG" : data.graph_type, count(names.length, "variable"),
    data.n_obs === undefined ? "" : count(data.n_obs, "observation"), count(edges.length, "edge"),
    pag ? pagCounts() : `${directed} directed, ${edges.length - directed} undirected`].filter(Boolean).join(" · ");
  $("names").replaceChildren(...names.map((name) => make("option", { value: name })));
  prepareSliders();
  prepareViews();
  foldAlone();
  drawGraph();
  legend();
  tell();
  fit();
  effects();
  tellPosterior();
  methods();
  done();
  buildTable();
  nodeTable();
  filter();
  document.documentElement.dataset.ready = "yes";
})();
