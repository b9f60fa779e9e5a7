/** One JSON value of each type; no schema contains the string. */
export const valueOfEachType: Readonly<Record<string, unknown>> = {
  null: null,
  string: "zebra",
  number: 7.25,
  boolean: true,
  array: [],
  object: {},
};

const unknownMember = "not in any schema";

type Container = Record<string | number, unknown>;

/**
 * Changes a value in one place, calls back, and undoes the change. Down to `depth`, every member and item is removed
 * and replaced by each JSON type, and every object gets an unknown member. `place` is the path of the change.
 */
export function mutate(
  value: unknown,
  depth: number,
  check: (changed: unknown, change: string, place: readonly (string | number)[]) => void,
): void {
  const root: Container = { value };
  const visit = (
    container: Container,
    key: string | number,
    path: string,
    place: readonly (string | number)[],
  ): void => {
    const before = container[key];
    for (const [type, replacement] of Object.entries(valueOfEachType)) {
      container[key] = replacement;
      check(root["value"], `${path || "it"} is replaced by ${type}`, place);
    }
    container[key] = before;
    if (typeof before !== "object" || before === null || place.length === depth) return;
    const inner = before as Container;
    if (Array.isArray(before)) {
      before.forEach((_, index) => visit(inner, index, `${path}[${index}]`, [...place, index]));
      return;
    }
    for (const [type, addition] of Object.entries(valueOfEachType)) {
      inner[unknownMember] = addition;
      check(root["value"], `${path || "it"} has an unknown member of type ${type}`, [...place, unknownMember]);
    }
    Reflect.deleteProperty(inner, unknownMember);
    for (const [name, member] of Object.entries(inner)) {
      visit(inner, name, `${path}.${name}`, [...place, name]);
      Reflect.deleteProperty(inner, name);
      check(root["value"], `${path}.${name} is absent`, [...place, name]);
      inner[name] = member;
    }
  };
  visit(root, "value", "", []);
}
