import { afterAll, describe, expect, it } from 'vitest'
import { openReadings } from '../../test/code/readings.js'

const { outliner, definitionsOf, referencesOf } = openReadings()
afterAll(() => outliner.close())

const SNIPPETS: readonly { language: string; text: string; definitions: string[]; references: string[] }[] = [
  {
    language: 'typescript',
    text: `import fs, { read as r } from './x.js'
export { q } from './z'

/** Holds a user. */
export default class User<T> extends Base.Model implements Named {
  private load = async () => { fetchIt() }
  @trace()
  static make(): void { this.log.write(); new Thing() }
}
export const area = (x: number) => x, limit = 3
interface Shape extends Named { area(): number }
enum Colour { Red }
type Id = string
namespace Inner { function deep() {} }
const config = build({ a: 1 })
const old = require('legacy')
`,
    definitions: [
      'class User 4-9',
      'function User.load 6-6',
      'function User.make 7-8',
      'function area 10-10',
      'class Shape 11-11',
      'function Shape.area 11-11',
      'class Colour 12-12',
      'other Id 13-13',
      'module Inner 14-14',
      'function Inner.deep 14-14',
      'other config 15-15',
      'other old 16-16',
    ],
    references: [
      'imports default as fs from ./x.js',
      'imports read as r from ./x.js',
      'imports q from ./z',
      'exports q from ./z',
      'exports User as default',
      'inherits Model',
      'inherits Named',
      'calls fetchIt',
      'calls trace',
      'calls this.log > write',
      'calls Thing',
      'inherits Named',
      'calls build',
      'imports legacy as old from legacy',
    ],
  },
  {
    language: 'tsx',
    text: 'export const Page = () => (\n  <Layout><p/><Menu.Item/></Layout>\n)\n',
    definitions: ['function Page 1-3'],
    references: ['calls Layout', 'calls Menu > Item'],
  },
  {
    language: 'javascript',
    text: 'class A extends B { #secret() {} }\nmodule.exports = { a() {}, b: function () {} }\nfoo.bar = function () { baz() }\nconst El = <Card/>\n',
    definitions: ['class A 1-1', 'function A.#secret 1-1', 'function a 2-2', 'function b 2-2', 'function bar 3-3'],
    references: ['inherits B', 'calls baz', 'calls Card'],
  },
  {
    language: 'python',
    text: `import os.path as p, sys
from .a.b import c as d, e

# A shelf.
@frozen(True)
class Shelf(Base, metaclass=Meta):
    """Keeps books."""
    @staticmethod
    def add(self, book: int) -> str:
        """Adds one."""
        return tidy(self.sort(book))

async def main(): pass
`,
    definitions: ['class Shelf 4-11', 'function Shelf.add 8-11', 'function main 13-13'],
    references: [
      'imports path as p from os.path',
      'imports sys from sys',
      'imports c as d from .a.b',
      'imports e from .a.b',
      'calls frozen',
      'inherits Base',
      'calls tidy',
      'calls self > sort',
    ],
  },
  {
    language: 'rust',
    text: `use a::b::{c, d as e, f::{self, g}};

/// A point.
#[derive(Debug)]
pub struct Point<T> { x: T }

impl<T> Shape for Point<T> {
    fn area(&self) -> i32 { self.side(); geo::scale::<T>(1); trace!("x") }
}
enum Colour { Red }
trait Shape: Named + Sized { fn area(&self); }
mod inner { const LIMIT: i32 = 1; }
macro_rules! twice { () => {} }
`,
    definitions: [
      'struct Point 3-5',
      'impl Point 7-9',
      'function Point.area 8-8',
      'struct Colour 10-10',
      'class Shape 11-11',
      'function Shape.area 11-11',
      'module inner 12-12',
      'other inner.LIMIT 12-12',
      'function twice 13-13',
    ],
    references: [
      'imports c from a::b::c',
      'imports d as e from a::b::d',
      'imports f from a::b::f::self',
      'imports g from a::b::f::g',
      'inherits Shape',
      'calls self > side',
      'calls geo:: > scale',
      'calls trace',
      'inherits Named',
      'inherits Sized',
    ],
  },
  {
    language: 'go',
    text: 'package p\nimport (\n\t"fmt"\n\tx "a/b"\n)\n\n// Store keeps.\ntype Store struct {\n\tBase\n\tn int\n}\ntype Getter interface{ Get() }\nfunc (s *Store[K]) Get(a int) error {\n\tfmt.Println(find(a))\n\treturn nil\n}\n',
    definitions: ['struct Store 7-11', 'class Getter 12-12', 'function Store.Get 13-16'],
    references: ['imports fmt from fmt', 'imports b as x from a/b', 'inherits Base', 'calls fmt > Println', 'calls find'],
  },
  {
    language: 'java',
    text: `package p;
import a.b.C;

/** A queue. */
@Fast
public class Queue extends Base<X> implements Sized, Named {
  Queue() { super(); }
  int size() { check(); return other.count(new Box<>()); }
  enum Mode { A }
  interface Inner extends Named { void m(); }
  record Pair(int a) {}
}
`,
    definitions: [
      'class Queue 4-12',
      'function Queue.Queue 7-7',
      'function Queue.size 8-8',
      'class Queue.Mode 9-9',
      'class Queue.Inner 10-10',
      'function Queue.Inner.m 10-10',
      'class Queue.Pair 11-11',
    ],
    references: [
      'imports C from a.b.C',
      'inherits Base',
      'inherits Sized',
      'inherits Named',
      'calls check',
      'calls other > count',
      'calls Box',
      'inherits Named',
    ],
  },
  {
    language: 'c',
    text: '#include "util.h"\n#include <stdio.h>\n#define TWICE(x) ((x) * 2)\nstruct node { int a; };\ntypedef struct { int b; } pair;\nenum mode { A };\n\n/* Finds it. */\nint *find(int a) {\n  return look(a) + p->next();\n}\nint proto(void);\nstruct node *root;\n',
    definitions: [
      'function TWICE 3-3',
      'struct node 4-4',
      'struct pair 5-5',
      'class mode 6-6',
      'function find 8-11',
      'function proto 12-12',
    ],
    references: ['imports util from util.h', 'imports stdio from stdio.h', 'calls look', 'calls p > next'],
  },
  {
    language: 'cpp',
    text: `#include <vector>
namespace geo {
class Shape : public Base, Other<int> {
 public:
  int area() const;
  ~Shape() {}
};
}
template <typename T>
T Shape::scale(T by) { geo::check(by); return new Box(); }
using Id = int;
`,
    definitions: [
      'module geo 2-8',
      'class geo.Shape 3-7',
      'function geo.Shape.area 5-5',
      'function geo.Shape.~Shape 6-6',
      'function Shape.scale 9-10',
      'other Id 11-11',
    ],
    references: ['imports vector from vector', 'inherits Base', 'inherits Other', 'calls geo:: > check', 'calls Box'],
  },
  {
    language: 'csharp',
    text: `using System.Text;
namespace Shop {
  /// <summary>A cart.</summary>
  [Serializable]
  public class Cart : Base, IList<int> {
    public Cart() {}
    int Total { get; set; }
    int Add(int a) { Check(); return list.Push<int>(new Item()); }
  }
  struct Money {}
  interface IThing {}
  enum Mode { A }
}
`,
    definitions: [
      'module Shop 2-13',
      'class Shop.Cart 3-9',
      'function Shop.Cart.Cart 6-6',
      'other Shop.Cart.Total 7-7',
      'function Shop.Cart.Add 8-8',
      'struct Shop.Money 10-10',
      'class Shop.IThing 11-11',
      'class Shop.Mode 12-12',
    ],
    references: ['imports Text from System.Text', 'inherits Base', 'inherits IList', 'calls Check', 'calls list > Push', 'calls Item'],
  },
  {
    language: 'ruby',
    text: "require 'json'\nmodule Shop\n  # A cart.\n  class Cart < Base::Model\n    include Sized\n    def add(x)\n      check(x)\n      Item.new(1)\n    end\n    def self.make; end\n  end\nend\n",
    definitions: ['module Shop 2-12', 'class Shop.Cart 3-11', 'function Shop.Cart.add 6-9', 'function Shop.Cart.make 10-10'],
    references: ['imports json from json', 'inherits Model', 'inherits Sized', 'calls check', 'calls Item'],
  },
  {
    language: 'php',
    text: "<?php\nnamespace A\\B;\nuse C\\D as E, F;\nuse G\\{H, I};\nrequire 'x.php';\n/** A cart. */\nabstract class Cart extends Base implements Sized {\n  use Logs;\n  public function add(int $a): int { check(); $this->push(); return new Item(); }\n}\ninterface Sized {}\ntrait Logs {}\nfunction run() {}\n",
    definitions: ['class Cart 6-10', 'function Cart.add 9-9', 'class Sized 11-11', 'class Logs 12-12', 'function run 13-13'],
    references: [
      'imports D as E from C\\D',
      'imports F from F',
      'imports H from G\\H',
      'imports I from G\\I',
      'imports x from x.php',
      'inherits Base',
      'inherits Sized',
      'inherits Logs',
      'calls check',
      'calls this > push',
      'calls Item',
    ],
  },
  {
    language: 'bash',
    text: '#!/bin/bash\nsource ./lib.sh\n\n# Builds it.\nbuild() {\n  compile "$1" | tee log\n}\nfunction clean { rm -f x; }\n',
    definitions: ['function build 4-7', 'function clean 8-8'],
    references: ['imports lib from ./lib.sh', 'calls compile', 'calls tee', 'calls rm'],
  },
  {
    language: 'css',
    text: '@import url("base.css");\n/* Menu. */\n.menu, .nav > a { color: red }\n@media print {\n  .menu { display: none }\n}\n',
    definitions: ['other .menu, .nav > a 2-3', 'other @media print 4-6', 'other @media print..menu 5-5'],
    references: ['imports base from base.css'],
  },
  {
    language: 'markdown',
    text: '---\ntitle: x\n---\nIntro\n\n# Guide\ntext\n## Set up `it`\n```sh\n# no heading\n```\n## Use\nmore\n\nSecond\n======\nend\n',
    definitions: ['other Guide 6-14', 'other Guide.Set up it 8-11', 'other Guide.Use 12-14', 'other Second 15-17'],
    references: [],
  },
]

describe.each(SNIPPETS)('$language', ({ language, text, definitions, references }) => {
  it('finds definitions with kind, scope and lines', async () => {
    expect(await definitionsOf(language, text)).toEqual(definitions)
  })

  it('finds calls, imports and base types', async () => {
    expect(await referencesOf(language, text)).toEqual(references)
  })
})
