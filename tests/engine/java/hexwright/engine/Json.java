package hexwright.engine;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes maps, lists, strings, numbers and booleans as one line of JSON. */
final class Json {
  private Json() { }

  /** An object with the given keys and values, in the given order: {@code of("x", 1, "y", 2)}. */
  static Map<String, Object> of(Object... keysAndValues) {
    final Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      object.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return object;
  }

  static String write(Object value) {
    final StringBuilder out = new StringBuilder();
    append(out, value);
    return out.toString();
  }

  private static void append(StringBuilder out, Object value) {
    if (value == null || value instanceof Boolean || value instanceof Number) {
      out.append(value);
    }
    else if (value instanceof Map) {
      char separator = '{';
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
        out.append(separator);
        quote(out, String.valueOf(entry.getKey()));
        out.append(':');
        append(out, entry.getValue());
        separator = ',';
      }
      out.append(separator == '{' ? "{}" : "}");
    }
    else if (value instanceof Collection) {
      char separator = '[';
      for (Object item : (Collection<?>) value) {
        out.append(separator);
        append(out, item);
        separator = ',';
      }
      out.append(separator == '[' ? "[]" : "]");
    }
    else {
      quote(out, String.valueOf(value));
    }
  }

  private static void quote(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); ++i) {
      final char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      }
      else if (c < 0x20 || Character.isSurrogate(c) || c == 0x2028 || c == 0x2029) {
        out.append(String.format("\\u%04x", (int) c));
      }
      else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
