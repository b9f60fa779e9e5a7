import { mapDeclaredTypes, mapInnerTypes } from "../../shared/model/inner-expressions.js";
import { printType } from "../../shared/model/print-type-expression.js";
import type {
  AliasDeclaration,
  Declaration,
  Heritage,
  InterfaceDeclaration,
  SourceModule,
  Span,
  TypeExpression,
  TypeParameter,
} from "../../shared/model/source.js";
import { referredNames } from "./declared-names.js";
import type { DiagnosticCollector } from "./diagnostic-collector.js";
import { instanceName } from "./instance-name.js";

/** How often one generic type gets a name; a recursive one whose arguments grow would need endlessly many. */
const maxInstances = 100;
/** Parts of a type after all generic types in it are written out. */
const maxParts = 100_000;

type Generic = (InterfaceDeclaration | AliasDeclaration) & { readonly parameters: readonly TypeParameter[] };

/**
 * GENERICS: writes out generic types with their arguments. An instance has the name of the alias that is declared for
 * it. Without one, it is written in place; a recursive one, and an interface with bases, gets a name derived from its
 * arguments.
 */
export function expandGenerics(module: SourceModule, collector: DiagnosticCollector): SourceModule {
  const usesArguments = (declaration: Declaration): boolean =>
    "parameters" in declaration || JSON.stringify(declaration).includes('"arguments":');
  return module.declarations.some(usesArguments) ? new Expander(module, collector).run() : module;
}

class Expander {
  private readonly generics: ReadonlyMap<string, Generic>;
  private readonly recursive: ReadonlySet<string>;
  private readonly declared: ReadonlySet<string>;
  private readonly taken: Set<string>;
  /** Instances with a name, by generic type and arguments. */
  private readonly named = new Map<string, string>();
  private readonly instances = new Map<string, Declaration[]>();
  /** Generic types around a default that is being written out. */
  private readonly defaulted: Generic[] = [];
  private readonly sizes = new WeakMap<TypeExpression, number>();

  constructor(
    private readonly module: SourceModule,
    private readonly collector: DiagnosticCollector,
  ) {
    this.generics = new Map(
      module.declarations.flatMap((declaration) => (isGeneric(declaration) ? [[declaration.name, declaration]] : [])),
    );
    this.recursive = recursiveOf(this.generics);
    this.declared = new Set(module.declarations.map(({ name }) => name));
    this.taken = new Set(this.declared);
  }

  run(): SourceModule {
    for (const declaration of this.module.declarations) this.nameByAlias(declaration);
    const expanded = this.module.declarations.map((declaration) =>
      isGeneric(declaration) ? declaration : this.declaration(declaration),
    );
    const declarations = expanded.flatMap((declaration) =>
      isGeneric(declaration) ? (this.instances.get(declaration.name) ?? []) : [declaration],
    );
    return { ...this.module, declarations };
  }

  private declaration(declaration: Declaration): Declaration {
    if (declaration.kind === "alias") {
      const instance = this.instanceOf(declaration.type);
      if (instance && this.named.get(instance.key) === declaration.name) {
        const { name, span, text, tags } = declaration;
        const { text: ownText, ...body } = this.body(instance.generic, instance.args);
        const prose = text ?? ownText;
        return { ...body, name, span, tags: { ...body.tags, ...tags }, ...(prose !== undefined && { text: prose }) };
      }
    }
    return this.withBases(mapDeclaredTypes(declaration, (type) => this.type(type)));
  }

  /** An alias of an instance is its name, unless an earlier one is. */
  private nameByAlias(declaration: Declaration): void {
    if (declaration.kind !== "alias" || isGeneric(declaration)) return;
    const instance = this.instanceOf(declaration.type);
    if (!instance || this.named.has(instance.key)) return;
    if (instance.generic.kind === "interface" || this.recursive.has(instance.generic.name))
      this.named.set(instance.key, declaration.name);
  }

  private type(type: TypeExpression): TypeExpression {
    if (type.kind === "omit" && this.generics.has(type.name)) {
      const { name, keys, span } = type;
      const members = keys.map((value): TypeExpression => ({ kind: "literal", value }));
      const of = this.type({ kind: "reference", name, span });
      return { kind: "utility", name: "Omit", of, keys: { kind: "union", members }, span };
    }
    if (type.kind !== "reference") return mapInnerTypes(type, (inner) => this.type(inner));
    const instance = this.instanceOf(type);
    return instance ? this.instantiate(instance, type.span) : { kind: "reference", name: type.name, span: type.span };
  }

  private instanceOf(type: TypeExpression): Instance | undefined {
    if (type.kind !== "reference") return undefined;
    const generic = this.generics.get(type.name);
    const given = type.arguments ?? [];
    const count = generic?.parameters.length ?? 0;
    const needed = generic?.parameters.filter(({ defaultType }) => !defaultType).length ?? 0;
    const isDeclared = this.declared.has(type.name); // resolveReferences reports other names
    if (isDeclared && (given.length > count || given.length < needed)) {
      const values = {
        name: type.name,
        expected: needed === count ? count : `${needed} to ${count}`,
        found: given.length,
      };
      this.collector.error("type-arguments", values, type.span);
    }
    if (!generic) return undefined;
    const args = new Map<string, TypeExpression>();
    for (const [at, parameter] of generic.parameters.entries()) {
      const own = given[at];
      args.set(parameter.name, own ? this.type(own) : this.defaultOf(generic, parameter, args, type.span));
    }
    const key = `${generic.name}\0${withoutSpans([...args.values()])}`;
    return { generic, args, key };
  }

  /** A default that needs itself would be written out endlessly. */
  private defaultOf(generic: Generic, { defaultType }: TypeParameter, args: Arguments, span: Span): TypeExpression {
    if (!defaultType) return { kind: "primitive", name: "unknown" }; // the missing argument is reported
    if (this.defaulted.includes(generic)) return this.unbounded(generic, span);
    this.defaulted.push(generic);
    const type = this.type(substitute(defaultType, args));
    this.defaulted.pop();
    return type;
  }

  private instantiate({ generic, args, key }: Instance, span: Span): TypeExpression {
    const known = this.named.get(key);
    if (known !== undefined) return { kind: "reference", name: known, span };
    const needsName = this.recursive.has(generic.name) || (generic.kind === "interface" && generic.heritage.length > 0);
    if (needsName) return this.declare({ generic, args, key }, span);
    const written = this.type(substitute(typeOf(generic), args));
    return this.size(written) > maxParts ? this.unbounded(generic, span) : written;
  }

  private declare({ generic, args, key }: Instance, span: Span): TypeExpression {
    const instances = this.instances.get(generic.name) ?? [];
    this.instances.set(generic.name, instances);
    if (instances.length >= maxInstances) return this.unbounded(generic, span);
    const name = instanceName(generic.name, [...args.values()], this.taken);
    this.named.set(key, name);
    this.taken.add(name);
    const at = instances.push(generic) - 1; // keeps the place while the instance refers to further ones
    instances[at] = { ...this.body(generic, args), name, span };
    return { kind: "reference", name, span };
  }

  private unbounded({ name }: Generic, span: Span): TypeExpression {
    this.collector.error("generic-unbounded", { name }, span);
    return { kind: "primitive", name: "unknown" };
  }

  private body(generic: Generic, args: Arguments): InterfaceDeclaration | AliasDeclaration {
    const { parameters: _parameters, ...declaration } = generic;
    return this.withBases(mapDeclaredTypes(declaration, (type) => this.type(substitute(type, args))));
  }

  private withBases<T extends Declaration>(declaration: T): T;
  private withBases(declaration: Declaration): Declaration {
    if (declaration.kind !== "interface") return declaration;
    return { ...declaration, heritage: declaration.heritage.map((base) => this.base(base)) };
  }

  /** An instance with a name is a base like any other. */
  private base({ name, omit, type, span }: Heritage): Heritage {
    if (type?.kind === "reference") return { name: type.name, omit, span };
    if (type) return { name: printType(type), omit, type, span };
    if (!this.generics.has(name)) return { name, omit, span };
    const of: TypeExpression =
      omit.length > 0 ? { kind: "omit", name, keys: omit, span } : { kind: "reference", name, span };
    return this.base({ name, omit: [], type: this.type(of), span });
  }

  private size(type: TypeExpression): number {
    const known = this.sizes.get(type);
    if (known !== undefined) return known;
    let size = 1;
    mapInnerTypes(type, (inner) => {
      size += this.size(inner);
      return inner;
    });
    this.sizes.set(type, size);
    return size;
  }
}

interface Instance {
  readonly generic: Generic;
  readonly args: Arguments;
  readonly key: string;
}

type Arguments = ReadonlyMap<string, TypeExpression>;

function isGeneric(declaration: Declaration): declaration is Generic {
  return "parameters" in declaration;
}

function typeOf(generic: Generic): TypeExpression {
  if (generic.kind === "alias") return generic.type;
  const { members, index } = generic;
  return { kind: "object", members, ...(index && { index }) };
}

function substitute(type: TypeExpression, args: Arguments): TypeExpression {
  if (type.kind === "parameter") return args.get(type.name) ?? type;
  return mapInnerTypes(type, (inner) => substitute(inner, args));
}

function withoutSpans(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => (key === "span" ? undefined : inner));
}

/** The generic types that lead to themselves. */
function recursiveOf(generics: ReadonlyMap<string, Generic>): ReadonlySet<string> {
  const reaches = (start: string): boolean => {
    const seen = new Set<string>();
    const pending = [start];
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      const generic = generics.get(name);
      if (!generic) continue;
      for (const next of referredNames(generic)) {
        if (next === start) return true;
        if (seen.has(next)) continue;
        seen.add(next);
        pending.push(next);
      }
    }
    return false;
  };
  return new Set([...generics.keys()].filter(reaches));
}
