/**
 * Compares what is generated for the constructs of both readers with ajv, on seeded random instances. The reference is a
 * JSON Schema that was written by hand for each construct.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as json from "../generator/pipeline/read/json-constructs.js";
import * as typescript from "../generator/pipeline/read/typescript-constructs.js";
import { foreignSchema, type ForeignSchema } from "./foreign-schema.js";
import { damage, randomFrom, randomInstances } from "./random-instances.js";

/** The verdict of ajv; undefined where ajv itself fails: it cannot compare items that have a member `toString`. */
export type Judge = (type: string, value: unknown) => boolean | undefined;

export interface ConstructOutcome {
  readonly count: number;
  readonly accepted: number;
  readonly disagreements: readonly string[];
}

/** The type of a construct, by its index. */
export const nameOf = (at: number): string => `T${at}`;

/** The constructs of TypeScript as one schema, and their meaning as definitions of a JSON Schema. */
export const typescriptSchema = {
  text: `${typescript.others}\n${typescript.constructs.map(({ type }, at) => `export type ${nameOf(at)} = ${type};`).join("\n")}\n`,
  definitions: Object.fromEntries(
    typescript.constructs.map(({ schema }, at) => [
      nameOf(at),
      JSON.parse(JSON.stringify(schema).replaceAll("TREE", nameOf(at))) as unknown,
    ]),
  ),
};

export function judgeBy(schema: object, container: string): Judge {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allowUnionTypes: true });
  ajv.addSchema(schema, "schema");
  return (type, value) => {
    try {
      return ajv.getSchema(`schema#/${container}/${type}`)?.(value) === true;
    } catch (error) {
      if (error instanceof TypeError && error.message.includes("toString")) return undefined;
      throw error;
    }
  };
}

/** Compares all constructs of both readers. */
export async function constructDifferential(seed: string, rounds: number): Promise<ConstructOutcome> {
  const definitions = {
    ...json.others,
    ...Object.fromEntries(json.constructs.map(({ schema }, at) => [nameOf(at), schema])),
  };
  const outcomes = [
    compare(await foreignSchema(definitions), definitions, `${seed}/json`, rounds),
    compare(await foreignSchema(typescriptSchema.text), typescriptSchema.definitions, `${seed}/typescript`, rounds),
  ];
  return {
    count: outcomes.reduce((sum, { count }) => sum + count, 0),
    accepted: outcomes.reduce((sum, { accepted }) => sum + accepted, 0),
    disagreements: outcomes.flatMap(({ disagreements }) => disagreements),
  };
}

/** Compares the predicate, the check and the printed JSON Schema of each definition with ajv. */
export function compare(
  generated: ForeignSchema,
  definitions: Readonly<Record<string, unknown>>,
  seed: string,
  rounds: number,
): ConstructOutcome {
  const judge = judgeBy({ definitions }, "definitions");
  const printed = JSON.parse(readFileSync(join(generated.folder, "r2/schema.json"), "utf8")) as object;
  const ours = judgeBy(printed, "$defs");
  const make = randomInstances(generated.model);
  const disagreements: string[] = [];
  let [count, accepted] = [0, 0];
  for (const type of Object.keys(definitions)) {
    for (let round = 0; round < rounds; round++) {
      const random = randomFrom(`${seed}/${type}/${round}`);
      let value = make(type, random);
      for (let variant = 0; variant < 4; variant++, count++) {
        if (variant > 0) value = damage(value, random);
        const expected = judge(type, value);
        if (expected === undefined) continue;
        if (expected) accepted++;
        const found = [generated.is(type, value), generated.check(type, value).length === 0, ours(type, value)];
        if (found.some((verdict) => verdict !== expected))
          disagreements.push(
            `${seed} ${type} ${JSON.stringify(value)}: ajv ${expected}; predicate, check and schema.json ${found.join(", ")}`,
          );
      }
    }
  }
  return { count, accepted, disagreements };
}
