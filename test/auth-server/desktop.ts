/** The desktop of a user: its browser opens the URLs that programs pass to it, as `BROWSER` says. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { temporaryFolder } from "../support/temporary-folder.js";

export interface Desktop {
  /** An executable file that opens its argument in the browser. */
  readonly program: string;
  /** The URLs that were opened. */
  readonly opened: readonly string[];
  close(): Promise<void>;
}

/** @param open called with each URL that a program opens; its result is not awaited */
export async function startDesktop(open: (url: string) => void): Promise<Desktop> {
  const opened: string[] = [];
  const http = createServer((request, response) => {
    void text(request).then((url) => {
      response.end();
      opened.push(url);
      open(url);
    });
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  const program = join(temporaryFolder("desktop"), "browser");
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  writeFileSync(
    program,
    `#!${process.execPath}
fetch("${origin}", { method: "POST", body: process.argv[2] }).catch(() => process.exit(1));
`,
    { mode: 0o755 },
  );
  return {
    program,
    opened,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
