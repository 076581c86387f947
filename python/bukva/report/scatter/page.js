"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const canvas = document.getElementById("plane"), side = document.getElementById("side");
  const find = document.getElementById("find"), brush = canvas.getContext("2d");
  const count = data.words.length, radius = 3.5, letters = 13;
  const numberOf = new Map(data.words.map((word, number) => [word, number]));
  // What is seen: the plane's point in the middle of the canvas, and pixels a unit.
  const view = { x: 0, y: 0, scale: 1 };
  let chosen = -1, pointed = -1, size = [1, 1], fitted = 1, waiting = false;

  // Boxes by the cells that they touch.
  class Boxes {
    constructor() { this.cells = new Map(); }
    keys([left, top, right, bottom]) {
      const found = [], cell = 48;
      for (let i = Math.floor(left / cell); i <= Math.floor(right / cell); i++)
        for (let j = Math.floor(top / cell); j <= Math.floor(bottom / cell); j++) found.push(i + ":" + j);
      return found;
    }
    add(box) {
      for (const key of this.keys(box)) {
        if (!this.cells.has(key)) this.cells.set(key, []);
        this.cells.get(key).push(box);
      }
    }
    free(box) {
      return this.keys(box).every((key) => (this.cells.get(key) || []).every(
        (other) => box[0] >= other[2] || other[0] >= box[2] || box[1] >= other[3] || other[1] >= box[3]));
    }
  }

  const span = (values) => values.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [Infinity, -Infinity]);
  const toScreen = (n) => [size[0] / 2 + (data.x[n] - view.x) * view.scale, size[1] / 2 - (data.y[n] - view.y) * view.scale];
  const colour = (n) => {
    if (!data.groups.length) return data.colours[0];
    const group = data.groupOf[n];
    return data.colours[group < 0 ? data.colours.length - 1 : group % (data.colours.length - 1)];
  };
  const paper = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function fit() {
    const [left, right] = span(data.x), [low, high] = span(data.y);
    view.x = (left + right) / 2;
    view.y = (low + high) / 2;
    const free = [Math.max(size[0] - 120, 60), Math.max(size[1] - 60, 60)];
    fitted = Math.min(free[0] / (right - left || 1e-9), free[1] / (high - low || 1e-9));
    view.scale = fitted;
    draw();
  }

  function resize() {
    const box = canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
    size = [box.width, box.height];
    canvas.width = Math.round(box.width * ratio);
    canvas.height = Math.round(box.height * ratio);
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  function draw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; paint(); });
  }

  function paint() {
    const ink = paper("--ink"), mark = paper("--mark"), near = new Set();
    if (chosen >= 0) for (const [other] of data.neighbors[chosen] || []) near.add(other);
    brush.clearRect(0, 0, size[0], size[1]);
    const seen = [];
    for (let n = 0; n < count; n++) {
      const [x, y] = toScreen(n);
      if (x < -50 || y < -20 || x > size[0] + 50 || y > size[1] + 20) continue;
      seen.push([n, x, y]);
      brush.globalAlpha = chosen < 0 || n === chosen || near.has(n) ? 0.85 : 0.3;
      brush.fillStyle = colour(n);
      brush.beginPath();
      brush.arc(x, y, radius, 0, 2 * Math.PI);
      brush.fill();
    }
    brush.globalAlpha = 1;
    if (chosen >= 0) ring(chosen, mark);
    if (pointed >= 0) ring(pointed, ink);
    label(seen, near, ink, mark);
  }

  function ring(n, stroke) {
    const [x, y] = toScreen(n);
    brush.strokeStyle = stroke;
    brush.lineWidth = 2;
    brush.beginPath();
    brush.arc(x, y, radius + 3, 0, 2 * Math.PI);
    brush.stroke();
  }

  // Labels in the order of importance, each at the first of four sides where it hides nothing; or else left out.
  function label(seen, near, ink, mark) {
    const first = (n) => (n === chosen || n === pointed ? 0 : near.has(n) ? 1 : 2);
    const order = seen.slice().sort((a, b) => first(a[0]) - first(b[0]) || a[0] - b[0]);
    const points = new Boxes(), labels = new Boxes(), half = letters / 2;
    for (const [, x, y] of seen) points.add([x - radius, y - radius, x + radius, y + radius]);
    brush.textBaseline = "middle";
    for (const [n, x, y] of order) {
      const rank = first(n);
      brush.font = (rank < 2 ? "600 " : "") + letters + "px system-ui, sans-serif";
      const width = brush.measureText(data.words[n]).width, gap = radius + (rank ? 4 : 7);
      const sides = [[x + gap, y], [x - gap - width, y], [x - width / 2, y - gap - half], [x - width / 2, y + gap + half]];
      const boxOf = ([left, middle]) => [left - 2, middle - half - 1, left + width + 2, middle + half + 1];
      const inside = ([left, top, right, bottom]) => left >= 0 && top >= 0 && right <= size[0] && bottom <= size[1];
      const free = (side) => inside(boxOf(side)) && labels.free(boxOf(side));
      let place = sides.find((side) => free(side) && points.free(boxOf(side)));
      if (!place && rank < 2) place = sides.find(free) || (rank ? undefined : sides[0]);
      if (!place) continue;
      labels.add(boxOf(place));
      brush.globalAlpha = chosen >= 0 && rank === 2 ? 0.35 : 1;
      brush.lineWidth = 3;
      brush.strokeStyle = paper("--paper");
      brush.strokeText(data.words[n], place[0], place[1]);
      brush.fillStyle = n === chosen ? mark : ink;
      brush.fillText(data.words[n], place[0], place[1]);
    }
    brush.globalAlpha = 1;
  }

  function nearest(x, y) {
    let best = -1, least = 14 * 14;
    for (let n = 0; n < count; n++) {
      const [px, py] = toScreen(n), distance = (px - x) ** 2 + (py - y) ** 2;
      if (distance < least) { least = distance; best = n; }
    }
    return best;
  }

  const element = (name, text) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    return made;
  };

  function choose(n, move) {
    chosen = n;
    side.replaceChildren();
    if (n < 0) {
      side.append(element("p", "Choose a word to see its nearest words. Drag to move, turn the wheel to zoom."));
    } else {
      side.append(element("h2", data.words[n]));
      const near = data.neighbors[n] || [];
      if (near.length) side.append(element("p", "nearest of the words shown, by cosine of the whole vectors"));
      const list = element("ol");
      for (const [other, score] of near) {
        const item = element("li"), button = element("button");
        button.type = "button";
        button.append(element("span", data.words[other]), element("b", score.toFixed(3)));
        button.addEventListener("click", () => choose(other, true));
        item.append(button);
        list.append(item);
      }
      side.append(list);
      const [x, y] = toScreen(n), away = x < 40 || y < 40 || x > size[0] - 40 || y > size[1] - 40;
      if (move && away) { view.x = data.x[n]; view.y = data.y[n]; }
    }
    draw();
  }

  function zoom(factor, x, y) {
    const scale = Math.min(Math.max(view.scale * factor, fitted / 2), fitted * 400), change = 1 / view.scale - 1 / scale;
    view.x += (x - size[0] / 2) * change;
    view.y -= (y - size[1] / 2) * change;
    view.scale = scale;
    draw();
  }

  const fingers = new Map();
  let moved = 0;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
    moved = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId), now = [event.offsetX, event.offsetY];
    if (!before) {
      const n = nearest(...now);
      if (n !== pointed) { pointed = n; canvas.style.cursor = n < 0 ? "grab" : "pointer"; draw(); }
      return;
    }
    const dx = now[0] - before[0], dy = now[1] - before[1];
    moved += Math.abs(dx) + Math.abs(dy);
    if (fingers.size === 2) {
      const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
      const distance = (a) => Math.hypot(a[0] - other[0], a[1] - other[1]) || 1;
      zoom(distance(now) / distance(before), other[0], other[1]);
    } else {
      view.x -= dx / view.scale;
      view.y += dy / view.scale;
      draw();
    }
    fingers.set(event.pointerId, now);
  });
  const release = (event) => {
    if (fingers.delete(event.pointerId) && moved < 5 && event.type === "pointerup") choose(nearest(event.offsetX, event.offsetY), false);
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => { pointed = -1; draw(); });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.offsetX, event.offsetY);
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const step = 40 / view.scale;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    if (moves[event.key]) { view.x += moves[event.key][0]; view.y += moves[event.key][1]; }
    else if (event.key === "+" || event.key === "=") zoom(1.3, size[0] / 2, size[1] / 2);
    else if (event.key === "-") zoom(1 / 1.3, size[0] / 2, size[1] / 2);
    else if (event.key === "Escape") choose(-1, false);
    else return;
    event.preventDefault();
    draw();
  });
  find.addEventListener("input", () => {
    const text = find.value.trim();
    const exact = numberOf.get(text);
    const n = exact !== undefined ? exact : text ? data.words.findIndex((word) => word.toLowerCase().startsWith(text.toLowerCase())) : -1;
    choose(n, true);
  });
  document.getElementById("reset").addEventListener("click", () => { find.value = ""; choose(-1, false); fit(); });

  document.getElementById("words").append(...data.words.slice(0, 2000).map((word) => {
    const option = element("option");
    option.value = word;
    return option;
  }));
  data.groups.forEach((name, group) => {
    const item = element("li"), dot = element("i");
    dot.style.background = data.colours[group % (data.colours.length - 1)];
    item.append(dot, name);
    document.getElementById("legend").append(item);
  });
  new ResizeObserver(() => { resize(); draw(); }).observe(canvas);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  resize();
  choose(-1, false);
  fit();
  // A word in the address, x.html#word, is chosen at once.
  try {
    const named = numberOf.get(decodeURIComponent(location.hash.slice(1)));
    if (named !== undefined) choose(named, true);
  } catch { /* The address does not spell text. */ }
})();
