import { inUnit, type Period, type Unit } from "./forecast.js";

const width = 620;
const height = 210;
/** The space for texts above and below the line. */
const margin = { top: 34, bottom: 40, side: 34 };

/** Draws a line with one point per period. */
export function drawChart(periods: readonly Period[], unit: Unit): SVGElement {
  const values = periods.map((period) => inUnit(period, unit));
  const lowest = Math.min(...values);
  const range = Math.max(...values) - lowest || 1;
  const step = (width - 2 * margin.side) / (periods.length - 1);
  const points = values.map((value, index) => ({
    x: margin.side + index * step,
    y: margin.top + (1 - (value - lowest) / range) * (height - margin.top - margin.bottom),
  }));
  const line = points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join(" L ");
  const bottom = height - margin.bottom + 8;
  const chart = element("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
  chart.append(
    element("path", { class: "area", d: `M ${margin.side} ${bottom} L ${line} L ${width - margin.side} ${bottom} Z` }),
    element("path", { class: "line", d: `M ${line}` }),
  );
  points.forEach(({ x, y }, index) => {
    const { name = "", sky = "" } = periods[index] ?? {};
    const point = element("circle", { class: "point", cx: x, cy: y, r: 4 });
    point.append(element("title", {}, sky));
    chart.append(
      point,
      element("text", { x, y: y - 10 }, `${values[index] ?? ""}°`),
      element("text", { class: "name", x, y: height - 10 }, name),
    );
  });
  return chart;
}

function element(name: string, attributes: Readonly<Record<string, string | number>>, text = ""): SVGElement {
  const created = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, String(value));
  created.textContent = text;
  return created;
}
