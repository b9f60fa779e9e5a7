import type { ErrorModel, ProtocolModel, TypeModel } from "../../shared/model/protocol.js";
import { profileFields } from "../../shared/model/profile.js";
import { binding, code, data, docComment, join, literal, type Code } from "../../shared/code/code.js";
import { lowerFirst, constantCase } from "../../shared/names/case.js";

/** `profile.ts`: the revision's behaviour, one documented field per line. */
export function emitProfile(model: ProtocolModel): { readonly fields: readonly Code[]; readonly complete: boolean } {
  const fields = model.profile.map(({ field, value, link }) => {
    const text = profileFields.find(({ name }) => name === field)?.text;
    return code`${docComment({ text, tags: link === undefined ? [] : [`see ${link}`] })}${binding(field)}: ${literal(value)},`;
  });
  return { fields, complete: model.profile.length === profileFields.length };
}

/** `constants.ts`: the schema's constants, error codes, `_meta` keys, the values of enumerations, and limits. */
export function emitConstants(model: ProtocolModel): {
  readonly revision: Code;
  readonly declarations: readonly Code[];
  readonly errors: readonly Code[];
  readonly metaKeys: readonly Code[];
  readonly limits: readonly Code[];
} {
  const constants = model.constants.map(({ name, value, text }) => {
    const error = model.errors.find((found) => found.name === name);
    return constant(name, literal(value), error?.meaning ?? text, error?.link);
  });
  const prose = model.errors
    .filter(({ declared }) => !declared)
    .map(({ name, code: value, meaning, link }) => constant(name, literal(value), meaning, link));
  const enums = model.definitions.flatMap((definition) => {
    if (definition.kind !== "alias" || definition.type.kind !== "enum") return [];
    const name = `${constantCase(definition.name)}_VALUES`;
    return [
      code`${docComment({ text: `The values of \`${definition.name}\`${openness(definition.type)}, in the schema's order.` })}export const ${binding(name)} = ${data(definition.type.values)} as const;`,
    ];
  });
  return {
    revision: literal(model.revision),
    declarations: [...constants, ...prose, ...enums],
    errors: model.errors.map(errorRow),
    metaKeys: metaKeyNames(model.metaKeys).map(([name, value]) => code`${binding(name)}: ${literal(value)},`),
    limits: model.limits.map(
      ({ path, link, ...bounds }) =>
        code`${docComment({ text: undefined, tags: link === undefined ? [] : [`see ${link}`] })}${literal(path)}: ${data(bounds)},`,
    ),
  };
}

/** The declaration of an exported constant. */
export function constant(name: string, value: Code, text: string | undefined, link: string | undefined): Code {
  return code`${docComment({ text, tags: link === undefined ? [] : [`see ${link}`] })}export const ${binding(name)} = ${value};`;
}

function openness(type: Extract<TypeModel, { kind: "enum" }>): string {
  return type.open ? " that the schema names" : "";
}

function errorRow({ code: value, name, meaning, httpStatus }: ErrorModel): Code {
  const fields = [
    code`name: ${literal(name)}`,
    ...(meaning === undefined ? [] : [code`meaning: ${literal(meaning)}`]),
    ...(httpStatus === undefined ? [] : [code`httpStatus: ${literal(httpStatus)}`]),
  ];
  return code`${literal(String(value))}: { ${join(fields, ", ")} },`;
}

/** Short names for `_meta` keys: the part after the slash, or the whole key when that part is ambiguous. */
export function metaKeyNames(keys: readonly string[]): readonly (readonly [string, string])[] {
  const short = keys.map((key) => camel(key.slice(key.lastIndexOf("/") + 1)));
  return keys.map((key, at) => [short.indexOf(short[at] ?? "") === at ? (short[at] ?? key) : camel(key), key] as const);
}

function camel(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = words
    .map((word, index) => (index === 0 ? lowerFirst(word) : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("");
  return /^[A-Za-z]/.test(joined) ? joined : `key${joined}`;
}
