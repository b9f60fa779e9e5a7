/** Makes calls on the parent's command and reports their cost. Arguments: the server's script, the revision. */
export const [, , server = "", revision = ""] = process.argv;

export const booking = {
  name: "book",
  arguments: { city: "Kyoto", nights: 3, price: 120, breakfast: true, guests: ["Ada", "Grace"] },
};

export const expected = "Kyoto: 780";

export const info = { name: "bench-client", version: "1.0.0" };

/** Makes calls, with `inFlight` pending at any time. */
export type Run = (calls: number, inFlight: number) => Promise<void>;

export interface Order {
  readonly calls: number;
  readonly inFlight: number;
}

export interface Spent {
  readonly cpuMs: number;
  readonly wallMs: number;
}

export function drive(run: Run): void {
  process.on("message", ({ calls, inFlight }: Order) => {
    const wall = performance.now();
    const cpu = process.cpuUsage();
    run(calls, inFlight).then(
      () => {
        const { user, system } = process.cpuUsage(cpu);
        process.send?.({ cpuMs: (user + system) / 1_000, wallMs: performance.now() - wall } satisfies Spent);
      },
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  process.send?.("ready");
}

/** Drives a client through its method that calls a tool. */
export async function driveClient(callTool: () => Promise<object>): Promise<void> {
  const answer = (await callTool()) as { readonly content?: readonly { readonly text?: string }[] };
  if (answer.content?.[0]?.text !== expected) throw new Error(`not the right answer: ${JSON.stringify(answer)}`);
  drive(async (calls, inFlight) => {
    let left = calls;
    const caller = async (): Promise<void> => {
      while (left-- > 0) await callTool();
    };
    await Promise.all(Array.from({ length: inFlight }, caller));
  });
}
