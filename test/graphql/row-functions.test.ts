// Functions in every form that PostgreSQL has: of a row, without arguments, with unnamed arguments, variadic, returning one row.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rawSql } from '../../src/db/sql.ts'
import { grantWith, useEngine } from './use-engine.ts'

const statements = `
  create table up_au (id int primary key, name text not null, secret text);
  create table up_ar (id int primary key, au_id int references up_au, title text not null, deleted_at timestamptz);
  comment on table up_ar is E'@scope events:read\\n@soft_delete deleted_at';
  comment on table up_au is '@scope masjid:read';
  insert into up_au values (1, 'Amina', 'x'), (2, 'Bilal', 'y'), (3, 'Cem', null);
  insert into up_ar values (1, 1, 'Short', null), (2, 1, 'A longer title', null), (3, 2, 'The longest title of all', null),
    (4, 1, 'A longer title, deleted', now());
  create function up_au_ars_long(au up_au, shortest int default 10) returns setof up_ar language sql stable
    as $$ select * from up_ar where au_id = au.id and length(title) >= shortest order by id $$;
  create function up_au_first_ar(au up_au) returns up_ar language sql stable
    as $$ select * from up_ar where au_id = au.id order by id limit 1 $$;
  create function up_au_matches(au up_au, word text, times int default 1) returns int language sql stable
    as $$ select (length(au.name) - length(replace(lower(au.name), lower(word), ''))) * times $$;
  create function up_au_private(au up_au) returns setof up_ar language sql stable as $$ select * from up_ar $$;
  comment on function up_au_private is '@scope donations:read';
  create function up_au_ars_like(word text, author up_au) returns setof up_ar language sql stable
    as $$ select * from up_ar where au_id = author.id and title ilike '%' || word || '%' order by id $$;
  create function up_greeting(text, up_au, word text default 'Hi', int default 1) returns text language sql stable
    as $$ select repeat($1, $4) || word || ' ' || ($2).name $$;
  comment on function up_greeting is '@computed greeting';
  create function up_au_known_as(int, variadic words text[]) returns setof up_au language sql stable
    as $$ select * from up_au where id = $1 or name = any (words) order by id $$;
  create function up_au_all_ars(au up_au) returns setof up_ar language sql stable
    as $$ select * from up_ar where au_id = au.id order by id $$;
  create function up_filter(wanted text, int, shown boolean, int) returns setof up_au language sql stable
    as $$ select * from up_au where shown and (name = wanted or id = $2 or id = $4) order by id $$;
  create function up_by_place(int, text default 'none') returns setof up_au language sql stable
    as $$ select * from up_au where id = $1 or name = $2 order by id $$;
  create function up_any_of(variadic wanted int[]) returns setof up_au language sql stable
    as $$ select * from up_au where id = any (wanted) order by id $$;
  create type up_choice as (name text, number int);
  create function up_chosen(choice up_choice) returns setof up_au language sql stable
    as $$ select * from up_au where name = (choice).name or id = (choice).number order by id $$;
  create function up_one(wanted int) returns up_au language sql stable as $$ select * from up_au where id = wanted $$;
  create function up_called(wanted text) returns setof up_au language sql stable
    as $$ select * from up_au where wanted is null or name = wanted order by id $$;
  create function up_strictly(wanted text) returns setof up_au language sql stable strict as $$ select * from up_au $$;
  create function up_outs(wanted int, out other up_au) language sql stable as $$ select * from up_au $$;`

const graphql = useEngine(async database => {
  await database.run(rawSql(`set search_path = public, extensions; ${statements}`))
})
const ask = (query: string, variables: Record<string, unknown> = {}) => graphql().ask(query, { variables })
const refusedWith = async (query: string) => (await graphql().refused(query))[0]

describe('a function of a row that returns rows', () => {
  test('is a nested list, and takes the arguments of lists', async () => {
    assert.deepEqual(
      await ask(`{ up_au(order_by: {id: asc}) { name ars_long { id } } }`),
      {
        up_au: [
          { name: 'Amina', ars_long: [{ id: 2 }] },
          { name: 'Bilal', ars_long: [{ id: 3 }] },
          { name: 'Cem', ars_long: [] },
        ],
      },
      'deleted rows are left out of its rows too',
    )
    assert.deepEqual(
      await ask(
        `query ($n: Int) { up_au(where: {id: {_eq: 1}}, offset: 0) {
          ars_long(args: {shortest: $n}, where: {title: {_neq: "x"}}, order_by: {title: asc}, limit: 1, offset: 1) { title au { name } } } }`,
        { n: 1 },
      ),
      { up_au: [{ ars_long: [{ title: 'Short', au: { name: 'Amina' } }] }] },
    )
  })

  test('that returns one row yields it, or null', async () =>
    assert.deepEqual(await ask('{ up_au(order_by: {id: asc}) { first_ar { title au { id } } } }'), {
      up_au: [
        { first_ar: { title: 'Short', au: { id: 1 } } },
        { first_ar: { title: 'The longest title of all', au: { id: 2 } } },
        { first_ar: null },
      ],
    }))

  test('has the cost of a list', async () => {
    const error = await refusedWith('{ up_au { ars_long { au { ars_long { au { ars_long { id } } } } } } }')
    assert.equal(error?.extensions.code, 'too-costly')
    assert.equal((await refusedWith('{ up_au { ars_long(limit: 101) { id } } }'))?.extensions.code, 'page-out-of-range')
  })
})

describe('a function that takes its row after other arguments', () => {
  test('is a field of that row', async () => {
    assert.deepEqual(
      await ask('query ($w: String) { up_au(order_by: {id: asc}, offset: 0) { ars_like(args: {word: $w}) { id } } }', {
        w: 'longe',
      }),
      { up_au: [{ ars_like: [{ id: 2 }] }, { ars_like: [{ id: 3 }] }, { ars_like: [] }] },
    )
    const shown = await ask('{ __schema { queryType { fields { name } } } }')
    assert.ok(!shown.__schema.queryType.fields.some(({ name }: { name: string }) => name === 'up_au_ars_like'))
  })

  test('has its arguments in their places, with names and without', async () => {
    const greeting = async (args: string) =>
      (await ask(`{ up_au_by_pk(id: 1) { greeting(args: {${args}}) } }`)).up_au_by_pk.greeting
    assert.equal(await greeting('arg_1: "O "'), 'O Hi Amina')
    assert.equal(await greeting('arg_1: "O ", word: "Salam"'), 'O Salam Amina')
    assert.equal(await greeting('arg_1: "O ", word: "Hi", arg_2: 2'), 'O O Hi Amina')
    assert.match(
      (await refusedWith('{ up_au { greeting(args: {arg_1: "O ", arg_2: 2}) } }'))?.message ?? '',
      /"word" is missing/,
    )
  })
})

describe('rows that a function computes, in a filter', () => {
  const ids = async (where: string) =>
    (await ask(`{ up_au(where: ${where}, order_by: {id: asc}) { id } }`)).up_au.map(({ id }: { id: number }) => id)

  test('are like related rows: one of them is enough', async () => {
    assert.deepEqual(await ids('{all_ars: {title: {_like: "A%"}}, id: {_gt: 0}}'), [1])
    assert.deepEqual(await ids('{_not: {all_ars: {}}}'), [3])
    assert.deepEqual(await ids('{all_ars: {id: {_eq: 4}}}'), [], 'the row is deleted')
    assert.deepEqual(await ids('{all_ars: {au: {all_ars: {title: {_eq: "Short"}}}}}'), [1])
    const query = 'query ($w: up_au_bool_exp) { up_ar(where: {au: $w}, order_by: {id: asc}) { id } }'
    const w = { all_ars: { title: { _like: 'Sh%' } } }
    assert.deepEqual(await ask(query, { w }), { up_ar: [{ id: 1 }, { id: 2 }] })
  })

  test('of a function that takes arguments, with these beside the condition', async () => {
    assert.deepEqual(await ids('{ars_like: {args: {word: "title"}, predicate: {id: {_gt: 2}}}}'), [2])
    assert.deepEqual(await ids('{ars_long: {predicate: {id: {_lt: 3}}}}'), [1])
    const query =
      'query ($n: Int, $w: up_ar_bool_exp!) { up_au(where: {ars_long: {args: {shortest: $n}, predicate: $w}}) { id } }'
    assert.deepEqual(await ask(query, { n: 20, w: {} }), { up_au: [{ id: 2 }] })
    assert.deepEqual(await ask(query, { n: 20, w: { id: { _eq: 2 } } }), { up_au: [] })
    for (const where of [
      '{ars_like: {id: {_eq: 1}}}',
      '{ars_like: {predicate: {}}}',
      '{all_ars: null}',
      '{ars_long: {predicate: null}}',
    ])
      assert.equal(
        (await refusedWith(`{ up_au(where: ${where}) { id } }`))?.extensions.code,
        'validation-failed',
        where,
      )
  })

  test('of a function that returns one row, if there is one', async () => {
    assert.deepEqual(await ids('{first_ar: {}}'), [1, 2])
    assert.deepEqual(await ids('{first_ar: {title: {_neq: "Short"}}}'), [2])
  })

  test('need the scopes of their table, count as relationships, and have their depth', async () => {
    const [error] = await graphql().refused('{ up_au(where: {all_ars: {}}) { id } }', {
      grant: grantWith(['masjid:read']),
    })
    assert.deepEqual([error?.extensions.code, error?.extensions.scopes], ['insufficient-scope', ['events:read']])
    const [further] = await graphql().refused(
      '{ up_au(where: {private: {}}, order_by: {private_aggregate: {count: asc}}) { id } }',
      {
        grant: grantWith(['masjid:read', 'events:read']),
      },
    )
    assert.deepEqual(further?.extensions.scopes, ['donations:read'])
    const deep = `${'{all_ars: {au: '.repeat(4)}{}${'}}'.repeat(4)}`
    assert.equal((await refusedWith(`{ up_au(where: ${deep}) { id } }`))?.extensions.code, 'too-deep')
    const many = `[${'{all_ars: {}}, '.repeat(101)}]`
    assert.equal((await refusedWith(`{ up_au(where: {_or: ${many}}) { id } }`))?.extensions.code, 'too-many-conditions')
  })
})

describe('rows that a function computes, in an order', () => {
  const ids = async (order: string) =>
    (await ask(`{ up_au(order_by: [${order}]) { id _cursor } }`)).up_au.map(({ id }: { id: number }) => id)

  test('sort by their totals', async () => {
    assert.deepEqual(await ids('{all_ars_aggregate: {count: desc}}'), [1, 2, 3])
    assert.deepEqual(await ids('{all_ars_aggregate: {count: asc}}'), [3, 2, 1])
    assert.deepEqual(await ids('{all_ars_aggregate: {max: {title: desc_nulls_last}}}, {id: asc}'), [2, 1, 3])
  })

  test('sort by a column, if there is one row, and page by cursor', async () => {
    const list = (rest: string) =>
      ask(`{ up_au(order_by: {first_ar: {title: desc_nulls_last}}${rest}) { id _cursor } }`)
    const all = (await list('')).up_au
    assert.deepEqual(
      all.map(({ id }: { id: number }) => id),
      [2, 1, 3],
    )
    assert.deepEqual((await list(`, after: "${all[0]._cursor}"`)).up_au, all.slice(1))
  })

  test('take no arguments there', async () => {
    for (const order of ['{ars_long_aggregate: {count: asc}}', '{ars_like_aggregate: {count: asc}}'])
      assert.equal((await refusedWith(`{ up_au(order_by: ${order}) { id } }`))?.extensions.code, 'validation-failed')
  })
})

describe('the scopes of a function of a row', () => {
  test('are those of the table whose rows it returns, wherever it is named', async () => {
    const grant = grantWith(['masjid:read'])
    for (const query of ['{ up_au { ars_long { id } } }', '{ up_au { first_ar { id } } }']) {
      const [error] = await graphql().refused(query, { grant })
      assert.equal(error?.extensions.code, 'insufficient-scope')
      assert.deepEqual(error?.extensions.scopes, ['events:read'])
    }
    const shown = await graphql().ask('{ __type(name: "up_au") { fields { name } } }', { grant })
    assert.ok(!shown.__type.fields.some(({ name }: { name: string }) => /ars_long|first_ar/.test(name)))
  })

  test('and those that its comment adds', async () => {
    const [error] = await graphql().refused('{ up_au { private { id } } }', {
      grant: grantWith(['masjid:read', 'events:read']),
    })
    assert.deepEqual(error?.extensions.scopes, ['donations:read'])
  })
})

describe('a value that a function computes from a row and arguments', () => {
  test('can be used in filters, in relationships too', async () => {
    assert.deepEqual(await ask('{ up_au(where: {matches: {args: {word: "a"}, predicate: {_gte: 2}}}) { name } }'), {
      up_au: [{ name: 'Amina' }],
    })
    const query = `query ($w: up_ar_bool_exp) { up_ar(where: $w, order_by: {id: asc}) { id } }`
    const where = { au: { matches: { args: { word: 'L', times: 5 }, predicate: { _eq: 10 } } } }
    assert.deepEqual(await ask(query, { w: where }), { up_ar: [{ id: 3 }] })
  })

  test('can be sorted by, and paged by cursor', async () => {
    const order = '[{matches: {args: {word: $word}, direction: desc}}, {id: asc}]'
    const list = (rest: string) => `query ($word: String) { up_au(order_by: ${order}${rest}) { id _cursor } }`
    const all = (await ask(list(''), { word: 'a' })).up_au
    assert.deepEqual(
      all.map(({ id }: { id: number }) => id),
      [1, 2, 3],
    )
    assert.deepEqual((await ask(list(`, after: "${all[0]._cursor}"`), { word: 'a' })).up_au, all.slice(1))
    const none = '{ up_au(order_by: [{matches: {args: {word: "a"}, direction: null}}, {id: desc}]) { id } }'
    assert.deepEqual(await ask(none), { up_au: [{ id: 3 }, { id: 2 }, { id: 1 }] })
  })

  test('needs its arguments there too', async () => {
    for (const query of [
      '{ up_au(where: {matches: {predicate: {_eq: 1}}}) { id } }',
      '{ up_au(where: {matches: {args: {times: 1}, predicate: {_eq: 1}}}) { id } }',
      '{ up_au(order_by: {matches: {args: {}, direction: asc}}) { id } }',
      '{ up_au(order_by: {matches: asc}) { id } }',
    ])
      assert.equal((await refusedWith(query))?.extensions.code, 'validation-failed', query)
  })
})

describe('the arguments of a function', () => {
  test('without names are numbered among themselves', async () => {
    assert.deepEqual(await ask('{ up_filter(args: {wanted: "Cem", arg_1: 1, shown: true, arg_2: 2}) { id } }'), {
      up_filter: [{ id: 1 }, { id: 2 }, { id: 3 }],
    })
    assert.deepEqual(await ask('{ up_au_known_as(args: {arg_1: 1, words: ["Cem"]}) { id } }'), {
      up_au_known_as: [{ id: 1 }, { id: 3 }],
    })
    assert.deepEqual(await ask('{ up_by_place(args: {arg_1: 2}) { name } }'), { up_by_place: [{ name: 'Bilal' }] })
    assert.deepEqual(await ask('{ up_by_place(args: {arg_2: "Cem", arg_1: 1}) { id } }'), {
      up_by_place: [{ id: 1 }, { id: 3 }],
    })
    assert.match(
      (await refusedWith('{ up_by_place(args: {arg_2: "Cem"}) { id } }'))?.message ?? '',
      /"arg_1" is missing/,
    )
  })

  test('that are variadic are a list', async () => {
    assert.deepEqual(await ask('{ up_any_of(args: {wanted: [3, 1]}) { id } }'), { up_any_of: [{ id: 1 }, { id: 3 }] })
    assert.deepEqual(await ask('query ($v: [Int]!) { up_any_of(args: {wanted: $v}) { id } }', { v: [] }), {
      up_any_of: [],
    })
  })

  test('of a composite type are objects', async () => {
    const found = { up_chosen: [{ id: 1 }, { id: 3 }] }
    assert.deepEqual(await ask('{ up_chosen(args: {choice: {name: "Cem", number: 1}}) { id } }'), found)
    const query = 'query ($c: up_choice) { up_chosen(args: {choice: $c}) { id } }'
    assert.deepEqual(await ask(query, { c: { name: 'Cem', number: 1 } }), found)
    assert.deepEqual(await ask(query, { c: { name: "'); drop table up_au; --" } }), { up_chosen: [] })
    for (const wrong of ['"(Cem,1)"', '[1]', '7'])
      assert.equal(
        (await refusedWith(`{ up_chosen(args: {choice: ${wrong}}) { id } }`))?.extensions.code,
        'validation-failed',
      )
    assert.equal(
      (await refusedWith('{ up_chosen(args: {choice: {number: "x"}}) { id } }'))?.extensions.code,
      'bad-value',
    )
  })

  test('without a default may be null, but not omitted', async () => {
    const everybody = { up_called: [{ id: 1 }, { id: 2 }, { id: 3 }] }
    assert.deepEqual(await ask('{ up_called(args: {wanted: null}) { id } }'), everybody)
    const query = 'query ($v: String) { up_called(args: {wanted: $v}) { id } }'
    assert.deepEqual(await ask(query, { v: null }), everybody)
    assert.match((await refusedWith('{ up_called(args: {}) { id } }'))?.message ?? '', /"wanted" is missing/)
    assert.match((await refusedWith('{ up_called { id } }'))?.message ?? '', /args/)
    assert.equal(
      (await refusedWith('{ up_strictly(args: {wanted: null}) { id } }'))?.extensions.code,
      'validation-failed',
    )
  })
})

describe('a function that returns one row', () => {
  test('yields it, or null', async () =>
    assert.deepEqual(
      await ask('{ up_one(args: {wanted: 2}) { name ars_long { id } } none: up_one(args: {wanted: 9}) { id } }'),
      {
        up_one: { name: 'Bilal', ars_long: [{ id: 3 }] },
        none: null,
      },
    ))

  test('as the only field, too', async () => {
    assert.deepEqual(await ask('{ up_one(args: {wanted: 9}) { id } }'), { up_one: null })
    assert.deepEqual(await ask('{ up_one(args: {wanted: 1}) { id } }'), { up_one: { id: 1 } })
  })
})

test('a function that cannot be shown is reported, with the reason', () => {
  const { leftOut } = graphql().engine.structures.current().model
  assert.ok(leftOut.includes('function "up_outs": it has arguments that are not inputs'), leftOut.join('\n'))
})
