import type { ResultDescriptor } from "@mcpwright/protocol/contract";
import {
  clientExtension,
  clientRole,
  isGetSkillResult,
  isListSkillsResult,
  type SkillsExtensionTypes,
} from "@mcpwright/protocol/extensions/skills";
import { RESOURCES_DIRECTORY_READ, SKILLS_GET, SKILLS_LIST } from "@mcpwright/protocol/names";
import type { ClientExtension, ClientInternals } from "../../client/client-extension.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";

const attached = /* @__PURE__ */ new WeakMap<object, ClientInternals>();

/** @throws SdkError `INVALID_CONFIGURATION` when the client does not have the extension */
export function internalsOf(client: object): ClientInternals {
  const internals = attached.get(client);
  if (internals) return internals;
  throw new SdkError(
    "INVALID_CONFIGURATION",
    "to use skills, create the client with the option extensions: [skills()]",
  );
}

/**
 * Skills on clients, for the option `extensions` of `Client`: the extension `io.modelcontextprotocol/skills` of 2025-11-25 and 2026-07-28.
 * `SkillsClient` reads the skills of servers that declare it.
 * @example
 * ```ts
 * import { parse } from "yaml";
 *
 * const client = new Client({ name: "my-host", version: "1.0.0" }, { extensions: [skills()] });
 * await client.connect(transport);
 * const { skills: entries } = await new SkillsClient(client, { parseFrontmatter: parse }).list();
 * ```
 */
export function skills(): ClientExtension<SkillsExtensionTypes> {
  const { results } = clientRole.receives;
  return {
    ...clientExtension,
    client: {
      ...clientRole,
      receives: {
        ...clientRole.receives,
        results: {
          ...results,
          // `SkillsClient` reports what is wrong with an entry, and keeps the others.
          ...unchecked(
            results,
            SKILLS_LIST,
            (result) => Array.isArray(result["skills"]) && isListSkillsResult({ ...result, skills: [] }),
          ),
          ...unchecked(results, SKILLS_GET, (result) => "skill" in result),
        },
      },
    },
    attachClient(client, internals) {
      attached.set(client, internals);
      // Skills are resources, and have no notification of their own.
      internals.changes.outdated.resources.push(SKILLS_LIST, SKILLS_GET, RESOURCES_DIRECTORY_READ);
      const { interceptors } = internals.requests;
      checkResult(SKILLS_LIST, isListSkillsResult);
      checkResult(SKILLS_GET, isGetSkillResult);

      /** Requests that do not come from `SkillsClient` get only results that match the schema. */
      function checkResult(method: string, isValid: (result: unknown) => boolean): void {
        interceptors.set(method, async (params, options, send) => {
          const result = await send(params, options);
          if (isValid(result)) return result;
          throw new SdkError("INVALID_RESULT", `the result of ${method} does not match its schema`, { result });
        });
      }
    },
  };
}

/** The row of a method, with a result whose skills are not checked. */
function unchecked(
  rows: Readonly<Record<string, ResultDescriptor>>,
  method: string,
  result: (result: Readonly<Record<string, unknown>>) => boolean,
): Readonly<Record<string, ResultDescriptor>> {
  const row = rows[method];
  if (!row) return {};
  const { item: _skill, ...rest } = row;
  return { [method]: { ...rest, result: (value: unknown) => isObject(value) && result(value) } };
}
