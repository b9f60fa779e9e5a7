/** A web page logs in by itself: the program of the guide, in Chromium. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { BrowserUser, startBrowser } from "../../auth-server/browser-user.js";
import { nativeClient } from "../clients.js";
import { startServers } from "../set-up.js";

const root = join(import.meta.dirname, "../../..");

/** The program of the guide, with the URL of this server. */
async function bundle(server: string): Promise<string> {
  const guide = readFileSync(join(root, "docs/guide/log-in-web.md"), "utf8");
  const [, program] = /^```ts\n(\/\/ page\.ts\n.*?)^```/ms.exec(guide) ?? [];
  if (program === undefined) throw new Error("the guide has no page.ts");
  const contents = program.replace("https://example.com/mcp", server);
  const { outputFiles } = await build({
    stdin: { contents, loader: "ts", resolveDir: root },
    bundle: true,
    format: "esm",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

test("the page of the guide logs its user in, and keeps the log-in", async () => {
  let script = "";
  const http = createServer((request, response) => {
    if (request.url === "/page.js") response.setHeader("content-type", "text/javascript").end(script);
    else
      response
        .setHeader("content-type", "text/html")
        .end(`<!doctype html><body><script type="module" src="/page.js"></script>`);
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const page = {
    ...nativeClient,
    client_id: "library-page",
    application_type: "web",
    redirect_uris: [`${origin}/`],
  } as const;
  const { auth, server } = await startServers({ clients: [page] }, { origins: [origin] });
  script = await bundle(server.url.href);

  const browser = await startBrowser();
  onTestFinished(() => browser.close());
  const user = new BrowserUser(browser);
  const opened = await user.open(origin);
  await opened.waitForURL(({ pathname }) => pathname.startsWith("/interaction/"));
  await user.answer(opened);
  await opened.getByText("read by ada").waitFor();
  expect(new URL(opened.url()).search).toBe("");
  await opened.reload();
  await opened.getByText("read by ada").waitFor();
  expect(auth.events.filter((event) => event === "page")).toHaveLength(1);
});
