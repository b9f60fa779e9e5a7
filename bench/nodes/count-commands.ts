import { Connection } from "../http/connection.js";
import { callOf, firstId, type Form } from "../http/forms.js";
import { Load, openOn } from "../http/load.js";
import type { Stage } from "../shared/stage.js";
import { bookCall, textOf } from "../shared/traffic.js";
import { median } from "../validators/figures.js";
import { Cluster } from "./cluster.js";
import type { Relay } from "./relay.js";

/** The commands that the nodes send to Redis. */
export interface Commands {
  /** Of one call: the median of the batches, each without those of an idle interval of the same length. */
  readonly perCall: number;
  /** How often each command was sent in all batches, with those of the background. */
  readonly names: Readonly<Record<string, number>>;
}

/** The first calls of sessions at a node. */
export interface FirstCalls {
  readonly name: string;
  /** Round trips until the response, of each call. */
  readonly roundTrips: readonly number[];
  /** Commands until the response, of each call. */
  readonly commands: readonly number[];
}

type Sample = readonly [roundTrips: number, commands: number];

const [batches, callsPerBatch] = [21, 64];

/** @param run makes calls. The nodes have done the same before */
export async function countCommands(relay: Relay, run: (calls: number) => Promise<void>): Promise<Commands> {
  const perCall: number[] = [];
  const names: Record<string, number> = {};
  for (let batch = 0; batch < batches; batch++) {
    const start = performance.now();
    relay.commands.length = 0;
    await run(callsPerBatch);
    // What a call leaves to do counts, too.
    await pause(20);
    const during = relay.commands.splice(0);
    await pause(performance.now() - start);
    perCall.push((during.length - relay.commands.length) / callsPerBatch);
    for (const name of during) names[name] = (names[name] ?? 0) + 1;
  }
  return { perCall: median(perCall), names };
}

/** Counts the commands of calls at nodes that have cached the sessions, if there are any. */
export async function countCallCommands(stage: Stage, form: Form, nodes: number): Promise<Commands> {
  const cluster = await Cluster.start(stage, form, nodes, "counted");
  try {
    const load = new Load(cluster.ports, form);
    await load.open();
    await load.connect();
    const commands = await countCommands(cluster.relay as Relay, (calls) => load.pump(calls));
    load.disconnect();
    return commands;
  } finally {
    await cluster.close();
  }
}

/** Counts the round trips of the first calls in sessions that another node has opened. */
export async function countFirstCalls(stage: Stage, processes: number): Promise<readonly FirstCalls[]> {
  const cluster = await Cluster.start(stage, { kind: "sessions", reply: "json" }, 1, "counted");
  try {
    const [opener = 0] = cluster.ports;
    const atNew: Sample[] = [];
    for (let at = 0; at < processes; at++) atNew.push(await firstCall(cluster, opener, await cluster.add()));
    const atKnown: Sample[] = [];
    for (const port of cluster.ports.slice(1))
      for (let at = 0; at < 5; at++) atKnown.push(await firstCall(cluster, opener, port));
    return [
      toFirstCalls("the first call of a session at a process that has just started", atNew),
      toFirstCalls("the first call of a session at a node that serves others", atKnown),
    ];
  } finally {
    await cluster.close();
  }
}

async function firstCall({ relay }: Cluster, opener: number, port: number): Promise<Sample> {
  const opening = await Connection.open(opener);
  const call = callOf(await openOn(opening, "sessions"), bookCall);
  opening.close();
  // What the opening leaves to do.
  await pause(100);
  const connection = await Connection.open(port);
  if (!relay) throw new Error("commands are not counted");
  relay.commands.length = 0;
  relay.holdRoundTrips();
  const { status, body } = await connection.ask(textOf(call, firstId));
  const sample: Sample = [relay.roundTrips, relay.commands.length];
  relay.passOn();
  connection.close();
  if (status !== 200) throw new Error(`replied with ${status}: ${body}`);
  await pause(100);
  return sample;
}

function toFirstCalls(name: string, samples: readonly Sample[]): FirstCalls {
  return { name, roundTrips: samples.map(([trips]) => trips), commands: samples.map(([, commands]) => commands) };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
