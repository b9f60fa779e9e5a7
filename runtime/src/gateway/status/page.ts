/** The page, whose script fills it in. It contains nothing of servers. */
export const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Gateway</title>
<link rel="stylesheet" href="status.css">
<script src="status.js" defer></script>
<main>
<h1 id="name">Gateway</h1>
<p id="summary" role="status">Loading</p>
<h2 id="servers-title">Servers</h2>
<div class="wide"><table aria-labelledby="servers-title">
<thead><tr><th scope="col">Server<th scope="col">State<th scope="col">Transport<th scope="col">Revision<th scope="col">Connections<th scope="col">Tools<th scope="col">Calls<th scope="col">Failed<th scope="col">Last error</tr></thead>
<tbody id="servers"></tbody>
</table></div>
<h2 id="losses-title">Losses</h2>
<p id="no-losses">Nothing was lost so far.</p>
<div class="wide"><table id="losses-table" aria-labelledby="losses-title" hidden>
<thead><tr><th scope="col">Server<th scope="col">Method<th scope="col">From<th scope="col">To<th scope="col">Kind<th scope="col">At<th scope="col">Loss</tr></thead>
<tbody id="losses"></tbody>
</table></div>
<noscript>This page needs JavaScript; status.json has the same content.</noscript>
</main>
</html>
`;

export const style = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; background: Canvas; color: CanvasText; }
main { max-width: 76rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 0.5rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; vertical-align: top; padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid GrayText; }
td { max-width: 28rem; }
td:last-child { overflow-wrap: anywhere; }
.failed { color: light-dark(#a40000, #ff9c8f); font-weight: 600; }
`;

/** Only \`textContent\` receives what servers send. */
export const script = `"use strict";
const byId = (id) => document.getElementById(id);
const row = (cells, isFailed) => {
  const line = document.createElement("tr");
  cells.forEach((text, at) => {
    const cell = document.createElement(at === 0 ? "th" : "td");
    if (at === 0) cell.scope = "row";
    if (at === 1 && isFailed) cell.className = "failed";
    cell.textContent = text === undefined ? "–" : String(text);
    line.append(cell);
  });
  return line;
};
const set = (id, text) => {
  if (byId(id).textContent !== text) byId(id).textContent = text;
};
const count = (number, one) => number + " " + one + (number === 1 ? "" : "s");
const show = ({ name, clients, callsPerSecond, servers, losses }) => {
  document.title = name;
  set("name", name);
  const rate = callsPerSecond === undefined ? "" : ", " + callsPerSecond + " calls per second";
  set("summary", count(servers.length, "server") + ", " + count(clients, "client connection") + rate);
  byId("servers").replaceChildren(...servers.map((one) => row([
    one.info === undefined ? one.name : one.name + " (" + one.info + ")", one.state, one.transport, one.revision,
    one.connections, one.tools, one.calls, one.failedCalls,
    one.lastError && new Date(one.lastError.at).toLocaleTimeString() + " " + one.lastError.message,
  ], one.state === "failed")));
  byId("losses").replaceChildren(...losses.map((one) => row([
    one.server, one.method, one.from, one.to, one.kind, one.at, one.text,
  ])));
  byId("losses-table").hidden = losses.length === 0;
  byId("no-losses").hidden = losses.length > 0;
};
const look = async () => {
  try {
    const response = await fetch("status.json", { cache: "no-store" });
    if (!response.ok) throw new Error(await response.text());
    show(await response.json());
  } catch (error) {
    set("summary", "The gateway does not respond: " + error.message);
  }
  setTimeout(look, 2000);
};
look();
`;
