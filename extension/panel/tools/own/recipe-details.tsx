import type { FaceWords } from '../words/faces-en.ts';
import type { ComponentChildren, JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { type JsonObject, type JsonValue, isObject } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { Badge } from '../../components/marks.tsx';
import { summarise } from '../../components/layout.ts';
import { TopLevel } from '../../components/markdown.tsx';
import { asList, asRecord, asRecords, asText, textIn, textsIn } from '../../components/read-json.ts';
import type { OpenLink } from '../../components/text.ts';
import { Value } from '../../components/value.tsx';

interface Props {
  /** As `recipe_get` answers it. A mode may leave out what it answers, and its definition. */
  readonly recipe: JsonObject;
  readonly words: FaceWords['recipes'];
  readonly openLink: OpenLink;
}

/** What a recipe takes, does and answers. */
export function RecipeDetails({ recipe, words, openLink }: Props): JSX.Element {
  const { input_schema: input, output_schema: output, definition } = recipe;
  return (
    <>
      {isObject(input) && <Parameters schema={input} words={words} />}
      {isObject(definition) && (
        <section class="f-part">
          <PartTitle>{words.stepsTitle}</PartTitle>
          <Steps steps={asRecords(definition['steps'])} words={words} openLink={openLink} />
        </section>
      )}
      {isObject(output) && <Answers schema={output} words={words} />}
    </>
  );
}

/** A heading of the level that the place begins with. */
const PartTitle = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <h3 aria-level={useContext(TopLevel)}>{children}</h3>
);

interface SchemaProps {
  readonly schema: JsonObject;
  readonly words: FaceWords['recipes'];
}

function Parameters({ schema, words }: SchemaProps): JSX.Element {
  const properties = Object.entries(asRecord(schema['properties']));
  const required = textsIn(schema, 'required');
  return (
    <section class="f-part">
      <PartTitle>{words.parameters}</PartTitle>
      {properties.length === 0 && <p class="c-quiet">{words.noParameters}</p>}
      {properties.length > 0 && (
        <ul class="f-items">
          {properties.map(([name, property]) => (
            <Parameter
              key={name}
              name={name}
              property={asRecord(property)}
              isRequired={required.includes(name)}
              words={words}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

interface ParameterProps {
  readonly name: string;
  readonly property: JsonObject;
  readonly isRequired: boolean;
  readonly words: FaceWords['recipes'];
}

function Parameter({ name, property, isRequired, words }: ParameterProps): JSX.Element {
  const { default: byDefault, enum: choices, description } = property;
  return (
    <li>
      <p class="f-title">
        <code>{reveal(name)}</code>
        <span class="c-quiet">{reveal(typeOf(property))}</span>
        {isRequired && <Badge>{words.required}</Badge>}
        {byDefault !== undefined && (
          <span class="c-quiet">
            {words.byDefault} <Brief value={byDefault} />
          </span>
        )}
      </p>
      {asList(choices).length > 0 && (
        <p class="c-quiet">
          {words.oneOf} <Brief value={choices} />
        </p>
      )}
      {asText(description) !== null && (
        <p>
          <bdi>{reveal(asText(description) ?? '')}</bdi>
        </p>
      )}
    </li>
  );
}

const Brief = ({ value }: { readonly value: JsonValue | undefined }): JSX.Element => (
  <code>{reveal(summarise(value) || JSON.stringify(value ?? null))}</code>
);

/** As short as a reader needs it: `string`, `integer or null`, `list of strings`. */
function typeOf({ type, items, enum: choices, const: fixed }: JsonObject): string {
  if (typeof type === 'string') {
    const inner = type === 'array' ? textIn(items, 'type') : null;
    return inner === null ? type : `${type}<${inner}>`;
  }
  if (Array.isArray(type)) return type.map(String).join(' | ');
  return choices === undefined && fixed === undefined ? '' : 'enum';
}

interface StepsProps {
  readonly steps: readonly JsonObject[];
  readonly words: FaceWords['recipes'];
  readonly openLink: OpenLink;
}

/** Calls and branches in their order. */
const Steps = ({ steps, ...place }: StepsProps): JSX.Element => (
  <ol class="c-steps">
    {steps.map((step, at) => (
      <li key={at}>
        {isObject(step['if']) ? <Branch step={step} {...place} /> : <Call step={step} {...place} />}
      </li>
    ))}
  </ol>
);

interface StepProps extends Omit<StepsProps, 'steps'> {
  readonly step: JsonObject;
}

function Call({ step, words, openLink }: StepProps): JSX.Element {
  const args = asRecord(step['args']);
  return (
    <>
      <p class="f-title">
        <b>{reveal(asText(step['tool']) ?? '')}</b>
        <code class="c-quiet">{reveal(asText(step['id']) ?? '')}</code>
        {step['on_error'] === 'continue' && <Badge tone="wait">{words.continues}</Badge>}
      </p>
      {Object.keys(args).length > 0 && (
        <details class="c-part">
          <summary>{words.arguments}</summary>
          <Value value={args} openLink={openLink} />
        </details>
      )}
    </>
  );
}

function Branch({ step, ...place }: StepProps): JSX.Element {
  const { words } = place;
  return (
    <>
      <p>
        {words.if} {conditionOf(asRecord(step['if']), words)}
      </p>
      <Side name={words.then} steps={asRecords(step['then'])} {...place} />
      {step['else'] !== undefined && <Side name={words.else} steps={asRecords(step['else'])} {...place} />}
    </>
  );
}

const Side = ({ name, steps, ...place }: StepsProps & { readonly name: string }): JSX.Element => (
  <div>
    <p class="c-quiet">
      {name}
      {steps.length === 0 && ` ${place.words.nothing}`}
    </p>
    {steps.length > 0 && <Steps steps={steps} {...place} />}
  </div>
);

function conditionOf({ ref, ...tests }: JsonObject, { condition }: FaceWords['recipes']): ComponentChildren {
  const path = <code>{reveal(asText(ref) ?? '')}</code>;
  if (typeof tests['exists'] === 'boolean')
    return (
      <>
        {path} {tests['exists'] ? condition.exists : condition.missing}
      </>
    );
  const [test, value] = Object.entries(tests).find(([key]) => key in condition) ?? [];
  return (
    <>
      {path} {test === undefined ? '' : wordOf(test, condition)} <Brief value={value} />
    </>
  );
}

const wordOf = (test: string, condition: FaceWords['recipes']['condition']): string =>
  Object.entries(condition).find(([key]) => key === test)?.[1] ?? reveal(test);

function Answers({ schema, words }: SchemaProps): JSX.Element {
  const names = Object.keys(asRecord(schema['properties']));
  return (
    <section class="f-part">
      <PartTitle>{words.answers}</PartTitle>
      {names.length === 0 ? (
        <p class="c-quiet">{words.lastStep}</p>
      ) : (
        <p class="f-title">
          {names.map((name) => (
            <Badge key={name}>{reveal(name)}</Badge>
          ))}
        </p>
      )}
    </section>
  );
}
