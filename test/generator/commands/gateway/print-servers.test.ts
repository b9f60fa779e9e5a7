import { expect, test } from "vitest";
import { commandServer, urlServer } from "../../../../generator/commands/gateway/config/single-server.js";
import { printServers } from "../../../../generator/commands/gateway/print-servers.js";

test.each([
  [["node", "server.js"], "node server.js"],
  [["npx", "-y", "@acme/server@1.0", "postgres://user:pw@host/db"], "npx -y @acme/server@1.0 …"],
  [["docker", "run", "-i", "--rm", "-e", "KEY=secret", "image"], "docker run -i …"],
  [["server", "--token", "secret"], "server …"],
  [["server", "--token=secret"], "server …"],
  [["server", "postgres://user:pw@host/db"], "server …"],
  [["python3", "-m", "server", "secret"], "python3 -m server …"],
  [["se\u001brver"], "se\\u001brver"],
] as const)("%j", ([program, ...args], printed) => {
  expect(printServers([commandServer("one", [program, ...args])])).toEqual([`  one  ${printed}`]);
});

test("names are aligned, and URLs have no secrets", () => {
  const servers = [
    urlServer("docs", "https://user:pw@example.com/mcp?key=secret", { Authorization: "secret" }),
    commandServer("longer", ["x"]),
  ];
  expect(printServers(servers)).toEqual(["  docs    https://example.com/mcp", "  longer  x"]);
});
