import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { endChild } from "./children.js";
import { findChromium, flags } from "./find-chromium.js";
import { built } from "./paths.js";

/** Serves a page that runs the suite in a browser and posts the report back. */
export interface Page {
  readonly origin: string;
  /** Opens the page. @returns its report */
  readonly show: (server: string) => Promise<string>;
  readonly end: () => void;
}

export async function openPage(): Promise<Page> {
  let report: (text: string) => void = () => undefined;
  const http = createServer((request, response) => {
    if (request.method === "POST") {
      void text(request).then((body) => {
        response.end();
        report(body);
      });
    } else if (request.url?.startsWith("/page.js"))
      response.setHeader("content-type", "text/javascript").end(readFileSync(built("client-page")));
    else
      response
        .setHeader("content-type", "text/html")
        .end(`<!doctype html><script type="module">await import("/page.js" + location.search)</script>`);
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    origin,
    end: () => {
      http.close();
      http.closeAllConnections();
    },
    async show(server) {
      const reported = new Promise<string>((resolve) => (report = resolve));
      const profile = mkdtempSync(join(tmpdir(), "mcpwright-chromium-"));
      const url = `${origin}/?server=${encodeURIComponent(server)}`;
      const browser = spawn(findChromium(), [...flags, `--user-data-dir=${profile}`, url], { stdio: "ignore" });
      const exit = once(browser, "exit");
      try {
        const gone = exit.then(() => Promise.reject(new Error("the browser exited without a report")));
        return await Promise.race([reported, gone]);
      } finally {
        await endChild(browser, exit);
        // Its child processes still write after it has exited, so rmSync may need several attempts.
        await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      }
    },
  };
}
