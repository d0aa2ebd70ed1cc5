import { Columns } from '../../../shared/libraries/values/columns.ts';
import { expect, it } from 'vitest';
import { readSecrets } from '../../../server/core/secrets.ts';
import { finishRecord } from '../../../server/extract/record.ts';
import { planJob } from '../../../server/extract/job.ts';
import { compileSchema } from '../../../server/core/record-schema.ts';
import { trustOf } from '../../../server/upstreams/index.ts';
import { keyName } from '../../../shared/act/keys.ts';
import { plainStep } from '../../../shared/act/parse-step.ts';
import { coerce } from '../../../shared/libraries/values/coerce.ts';
import { lookUp } from '../../../shared/base/json.ts';
import { jsonMap, JsonRecord, jsonMembers } from '../../../shared/base/json-schema.ts';
import { siteOf } from '../../../shared/core/policy/sites.ts';
import { z } from 'zod';
import { temporaryHome } from '../../support/home.ts';

/* Names from outside that an object has already, or that are not kept as a member. */

const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

it.each(NAMES)('an upstream and its tool named %s are accepted once, and no other is', async (name) => {
  const home = await temporaryHome();
  const tool = { rawName: name, description: 'Does.', inputSchema: {}, isReadOnly: true } as const;
  expect(trustOf(home).judge(name, 'one', tool)).toBe('not_accepted');
  await trustOf(home).accept({ id: name, target: 'one', tools: [tool] });
  expect(trustOf(home).judge(name, 'one', tool)).toBeNull();
  expect(trustOf(home).judge(name, 'one', { ...tool, description: 'Else.' })).toBe('changed');
  expect(NAMES.filter((other) => trustOf(home).isAccepted(other, 'one'))).toEqual([name]);
});

// A schema with a property `__proto__` is refused.
it.each(NAMES.slice(1))('a field %s of a record has its value', (name) => {
  const schema = JSON.parse(`{"type":"object","properties":{"${name}":{"type":"string"}}}`);
  const { fields } = planJob({ schema, multiple: false, explain: false });
  const value = { value: 'a', confidence: 1, strategy: 'tables', selector: '' } as const;
  const found = { strategy: 'tables', where: '', lang: null, fields: JSON.parse('{}') } as const;
  const own = { ...found, fields: { [name]: value } };
  expect(Object.entries(finishRecord(own, fields, compileSchema(schema), new Columns()).record)).toEqual([
    [name, 'a'],
  ]);
  expect(Object.entries(finishRecord(found, fields, compileSchema(schema), new Columns()).record)).toEqual([
    [name, null],
  ]);
  const [field] = planJob({ schema: { properties: { x: schema } }, multiple: false, explain: false }).fields;
  expect(field).toBeDefined();
  if (field !== undefined)
    expect(JSON.stringify(coerce(field, { [name]: 'a' }, { lang: null, isMachine: true }))).toContain(
      `{"${name}":"a"}`,
    );
});

it.each(NAMES)(
  'a step, a key, a secret, a parameter, a site and a table have nothing of the name %s',
  (name) => {
    expect(Object.keys(plainStep({ [name]: 1, do: 'click' })).toSorted()).toEqual([name, 'do'].toSorted());
    expect(keyName(name)).toBe(name);
    expect(() => readSecrets(undefined).resolve(`secret:${name}`)).toThrow(
      expect.objectContaining({ code: 'secret_not_found' }),
    );
    expect(siteOf(`${name.replaceAll('_', '')}://mill.example/`)).toBeNull();
    expect(lookUp({}, name)).toBeUndefined();
    const member = JSON.parse(`{"${name}":1}`);
    expect(
      [JsonRecord, jsonMembers(z.number())].map((schema) => Object.entries(schema.parse(member))),
    ).toEqual([[[name, 1]], [[name, 1]]]);
    expect([...jsonMap(z.number()).parse(JSON.parse(`{"${name}":1}`))]).toEqual([[name, 1]]);
  },
);

it.each([7, 50, 2_000, 100_000])(
  'selectors %i levels deep are refused by the name of their field',
  (levels) => {
    const deep = JSON.parse(`${'{"fields":{"a":'.repeat(levels)}"p"${'}}'.repeat(levels)}`);
    const job = () => planJob({ schema: {}, selectors: { name: deep }, multiple: false, explain: false });
    expect(job).toThrow(
      expect.objectContaining({
        code: 'selector_invalid',
        message: expect.stringMatching(/^selectors\.name/),
      }),
    );
  },
);
