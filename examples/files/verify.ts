import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { everywhere, same } from "../verify/everywhere.js";

const home = mkdtempSync(join(tmpdir(), "mcpwright-files-"));
const folder = join(home, "shared");
mkdirSync(join(folder, "more"), { recursive: true });
writeFileSync(join(home, "secret.txt"), "secret");
writeFileSync(join(folder, "a b.txt"), "tea");
writeFileSync(join(folder, "more", "bytes.bin"), Buffer.from([0, 255]));
symlinkSync(join(home, "secret.txt"), join(folder, "out.txt"));
symlinkSync(home, join(folder, "up"));
symlinkSync(join(folder, "a b.txt"), join(folder, "in.txt"));

try {
  await everywhere(
    { name: "files", servers: [new URL("main.ts", import.meta.url)], env: { FILES_FOLDER: folder } },
    async ([client]) => {
      const { resources } = await client.listResources();
      same(
        resources.map(({ uri }) => uri),
        ["files:///a%20b.txt", "files:///more/bytes.bin"],
      );
      const read = async (path: string): Promise<unknown> =>
        (await client.readResource({ uri: `files:///${path}` })).contents[0];
      same(await read("a%20b.txt"), { uri: "files:///a%20b.txt", mimeType: "text/plain", text: "tea" });
      same(await read("in.txt"), { uri: "files:///in.txt", mimeType: "text/plain", text: "tea" });
      same(await read("more/bytes.bin"), {
        uri: "files:///more/bytes.bin",
        mimeType: "application/octet-stream",
        blob: "AP8=",
      });
      for (const path of ["none.txt", "more", "out.txt", "up/secret.txt", "..%2Fsecret.txt", "../secret.txt"]) {
        const failure: unknown = await read(path).catch((error: unknown) => error);
        same(failure instanceof Error && failure.message.includes("Resource not found"), true, path);
      }
    },
  );
} finally {
  rmSync(home, { recursive: true });
}
