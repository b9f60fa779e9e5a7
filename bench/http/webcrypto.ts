import type { Effort } from "../shared/effort.js";
import { inTurns, type Spread, spreadOf } from "../shared/rounds.js";
import { spread, type Table, table } from "../shared/tables.js";

/** What one operation of this process costs. */
export interface WebCryptoRow {
  readonly name: string;
  readonly cpuMicroseconds: Spread;
}

interface Operation {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

/** The characters that the signature of a typical proof covers. */
const signedLength = 450;
const tokenLength = 900;
const curve = { name: "ECDSA", namedCurve: "P-256" };
const ecdsa = { name: "ECDSA", hash: "SHA-256" };

/**
 * Measures the operations of WebCrypto that the DPoP proof of a request can need: one `verify` each time; the others only when the
 * key or the token is new. They run in a loop of a process that does nothing else, one at a time.
 */
export async function measureWebCrypto({
  rounds,
  slices,
  sliceMs,
  warmUpMs,
}: Effort): Promise<readonly WebCryptoRow[]> {
  const runners = (await operations()).map((operation) => ({ ...operation, calls: 100, rounds: [] as number[][] }));
  for (const runner of runners) {
    // Much shorter than for servers: nearly all of the code is native.
    await cpuMsOf(runner, Math.ceil(((warmUpMs / 5) * 100) / (await cpuMsOf(runner, 100))));
    runner.calls = Math.ceil((sliceMs * 100) / (await cpuMsOf(runner, 100)));
  }
  for (let round = 0; round < rounds; round++)
    await inTurns(runners, slices, async (runner) => {
      (runner.rounds[round] ??= []).push(((await cpuMsOf(runner, runner.calls)) * 1_000) / runner.calls);
    });
  return runners.map(({ name, rounds: samples }) => ({
    name,
    cpuMicroseconds: spreadOf(samples.map((slices) => slices.reduce((sum, slice) => sum + slice, 0) / slices.length)),
  }));
}

export function webCryptoTable(rows: readonly WebCryptoRow[]): Table {
  return table(
    ["WebCrypto of Node", "CPU µs"],
    rows.map(({ name, cpuMicroseconds }) => [name, spread(cpuMicroseconds, 0)]),
  );
}

/** Returns a function that verifies the signature of a typical proof, with a key that was imported before. */
export async function proofSignature(): Promise<() => Promise<boolean>> {
  const { privateKey, publicKey } = await newKeys();
  const signed = crypto.getRandomValues(new Uint8Array(signedLength));
  const signature = await crypto.subtle.sign(ecdsa, privateKey, signed);
  return () => crypto.subtle.verify(ecdsa, publicKey, signature, signed);
}

function newKeys() {
  return crypto.subtle.generateKey(curve, true, ["sign", "verify"]);
}

async function operations(): Promise<readonly Operation[]> {
  const { subtle } = crypto;
  const jwk = await subtle.exportKey("jwk", (await newKeys()).publicKey);
  const token = crypto.getRandomValues(new Uint8Array(tokenLength));
  return [
    { name: "verify a proof (ES256): each request", run: await proofSignature() },
    {
      name: "import a public key (P-256): a new client",
      run: () => subtle.importKey("jwk", jwk, curve, false, ["verify"]),
    },
    { name: "digest a token (SHA-256): a new token or key", run: () => subtle.digest("SHA-256", token) },
  ];
}

/** CPU time of all threads of this process: WebCrypto works in other threads. */
async function cpuMsOf({ run }: Operation, calls: number): Promise<number> {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call++) await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
