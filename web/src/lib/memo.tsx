// A component that is drawn again only when what it was given differs. The one piece of preact/compat that we need. What is
// only `beside` the rest is taken anew when something else differs, and is no reason by itself.
import { Component, type ComponentChildren, type FunctionComponent } from "preact";

export function memo<P extends object>(Inner: FunctionComponent<P>, beside?: keyof P): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const before = this.props as Record<string, unknown>;
      const after = next as Record<string, unknown>;
      for (const name in after) if (name !== beside && after[name] !== before[name]) return true;
      for (const name in before) if (!(name in after)) return true;
      return false;
    }
    override render(): ComponentChildren {
      return <Inner {...(this.props as P)} />;
    }
  }
  return Memo as unknown as FunctionComponent<P>;
}
