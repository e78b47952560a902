package hexwright.engine;

import VASSAL.tools.SequenceEncoder;
import java.util.ArrayList;
import java.util.List;

/** Reads the raw text of a piece definition, before VASSAL makes anything of it. */
final class Traits {
  private static final String PROTOTYPE = "prototype";

  private Traits() { }

  /** The type strings of the traits of a {@code +/id/type/state} text, outermost first. */
  static List<String> of(String definition) {
    final List<String> traits = new ArrayList<>();
    if (definition == null || !definition.startsWith("+/")) {
      return traits;
    }
    final SequenceEncoder.Decoder fields = new SequenceEncoder.Decoder(definition.substring(2), '/');
    fields.nextToken("");      // the id: null in a definition
    String rest = fields.nextToken("");
    while (rest != null && !rest.isEmpty()) {
      final SequenceEncoder.Decoder nested = new SequenceEncoder.Decoder(rest, '\t');
      traits.add(nested.nextToken(""));
      rest = nested.hasMoreTokens() ? nested.nextToken() : null;
    }
    return traits;
  }

  /** The names of the prototypes a definition uses directly. */
  static List<String> prototypes(String definition) {
    final List<String> names = new ArrayList<>();
    for (String trait : of(definition)) {
      final SequenceEncoder.Decoder fields = new SequenceEncoder.Decoder(trait, ';');
      if (PROTOTYPE.equals(fields.nextToken(""))) {
        names.add(fields.nextToken(""));
      }
    }
    return names;
  }
}
