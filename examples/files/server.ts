import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { ResourceNotFoundError } from "@mcpwright/runtime";
import { resolveInside } from "@mcpwright/runtime/node";
import { McpServer, ResourceTemplate } from "@mcpwright/runtime/server";

const mostBytes = 1024 * 1024;

/** Other files are sent as bytes. */
const textTypes = new Map([
  [".txt", "text/plain"],
  [".md", "text/markdown"],
  [".json", "application/json"],
]);

/** A server that lets clients read the files of one folder, and of no other. */
export function filesServer(folder: string): McpServer {
  const server = new McpServer({ name: "files", title: "Files", version: "1.0.0" });
  server.registerResource(
    "file",
    new ResourceTemplate("files:///{+path}", { list: async () => ({ resources: await listFiles(folder) }) }),
    { title: "A file", description: `A file of up to ${mostBytes} bytes` },
    async (uri, { path }) => {
      // The path comes from the client, so it can contain "..", and can lead through links out of the folder.
      const file = await resolveInside(folder, String(path));
      if (file === undefined) throw new ResourceNotFoundError(uri.href);
      const stats = await stat(file);
      if (!stats.isFile()) throw new ResourceNotFoundError(uri.href);
      if (stats.size > mostBytes) throw new Error(`${uri.href} has more than ${mostBytes} bytes`);
      const mimeType = textTypes.get(extname(file));
      const bytes = await readFile(file);
      const content = mimeType === undefined ? { blob: bytes.toString("base64") } : { text: bytes.toString("utf8") };
      return { contents: [{ uri: uri.href, mimeType: mimeType ?? "application/octet-stream", ...content }] };
    },
  );
  return server;
}

async function listFiles(folder: string) {
  return (await pathsBelow(folder))
    .map((path) => relative(folder, path).split(sep))
    .map((names) => ({ uri: `files:///${names.map(encodeURIComponent).join("/")}`, name: names.join("/") }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The files of a folder. Links are left out, since they can lead out of the folder; `recursive` of `readdir` follows them on Node 26. */
async function pathsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => pathsBelow(join(folder, name)));
  return [...files, ...(await Promise.all(folders)).flat()];
}
