import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A port of this computer that no program listens on, for programs that must be given one. It is below the ports that the system gives to
 * outgoing connections, because one of those could take it at any moment, and above 10080, the highest that `fetch` refuses as a bad port.
 * @param count how many ports must be free, counted from the returned one
 */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const first = randomInt(10_081, 32_000);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await once(probe.listen(port, "127.0.0.1"), "listening");
  } catch {
    return false;
  }
  probe.close();
  await once(probe, "close");
  return true;
}
