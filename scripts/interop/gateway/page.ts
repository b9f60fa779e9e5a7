import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { root } from "../paths.js";
import type { GatewayCell } from "./judge.js";
import { type ServerSide, transportTitles } from "./sides.js";

/** The document with the results of a run. */
const pagePath = join(root, "docs/gateway-matrix.md");

export async function writeMatrix(cells: readonly GatewayCell[]): Promise<void> {
  writeFileSync(pagePath, await matrixPage(cells));
}

/** Whether the document matches the results of the run. */
export async function checkMatrix(cells: readonly GatewayCell[]): Promise<boolean> {
  return existsSync(pagePath) && readFileSync(pagePath, "utf8") === (await matrixPage(cells));
}

function matrixPage(cells: readonly GatewayCell[]): Promise<string> {
  const losses = [...new Set(cells.flatMap(({ loss }) => loss?.what ?? []))];
  const servers = [...new Set(cells.map(({ server }) => server.name))];
  const clients = [...new Set(cells.map(({ client }) => client.name))];
  const text = `<!-- Written by \`npm run interop -- --write\` from the results of the run. -->

# Gateway matrix

Look up here which features of a server reach a client through a [gateway](guide/gateway.md), when both have other revisions,
transports or implementations. To test them again:

\`\`\`sh
npm run interop -- gateway
\`\`\`

Each table is for one server. Its columns are clients, by the revision of our client, and the official SDK. A cell stands for all
transports of both. The run connects every client to every server over each of them, through gateways, and tries every feature that the
server has: ${cells.length} checks. It fails if a feature does not work, unless this page documents the loss and the run shows its evidence;
and if a documented loss works.

| Client | Transports to the gateway |
| --- | --- |
${clients.map((client) => `| ${client} | ${transportsOf(cells.flatMap((cell) => (cell.client.name === client ? cell.client : [])))} |`).join("\n")}

- ✓: it works over all transports.
- A number: a loss, explained [below](#losses). “✓, 1”: it works over some transports, and is lost where the explanation says.
- –: the server or the client does not have the feature.

In “opening”, the client and the gateway agree on a revision. “Pagination”: a gateway sends the pages of its servers as one page. In
“progress at once”, the server sends progress and the result without a pause.

${servers.map((server) => section(server, cells, clients, losses)).join("\n\n")}

## Losses

Losses of conversions name the message, the revisions, and what is lost between them.

${losses.map((what, index) => `${index + 1}. ${what}`).join("\n")}

[Losses between revisions](reference/revisions/losses.md) lists everything that conversions drop, change or add.
`;
  return format(text, { parser: "markdown", printWidth: 120, proseWrap: "always" });
}

function section(
  server: string,
  cells: readonly GatewayCell[],
  clients: readonly string[],
  losses: readonly string[],
): string {
  const theirs = cells.filter((cell) => cell.server.name === server);
  const features = [...new Set(theirs.map(({ feature }) => feature))];
  const row = (feature: string): string => {
    const marks = clients.map((client) =>
      markOf(
        theirs.filter((cell) => cell.feature === feature && cell.client.name === client),
        losses,
      ),
    );
    return `| ${[feature, ...marks].join(" | ")} |`;
  };
  return [
    `## ${server}`,
    "",
    `The gateway reaches it over ${transportsOf(theirs.map((cell) => cell.server))}.`,
    "",
    `| Feature | ${clients.map((client) => client.replace("mcpwright ", "")).join(" | ")} |`,
    `| --- |${clients.map(() => " --- |").join("")}`,
    ...features.map(row),
  ].join("\n");
}

/** The mark of a feature over all transports: each outcome once. */
function markOf(cells: readonly GatewayCell[], losses: readonly string[]): string {
  if (cells.length === 0) return "–";
  const works = cells.some(({ loss }) => !loss);
  const lost = new Set(cells.flatMap(({ loss }) => (loss ? losses.indexOf(loss.what) + 1 : [])));
  return [...(works ? ["✓"] : []), ...[...lost].sort((one, other) => one - other)].join(", ");
}

function transportsOf(sides: readonly Pick<ServerSide, "transport">[]): string {
  const titles = [...new Set(sides.map(({ transport }) => transportTitles[transport]))];
  return new Intl.ListFormat("en").format(titles);
}
