package hexwright.engine;

import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Access to VASSAL's non-public members, searched up the class hierarchy. */
final class Inside {
  private Inside() { }

  static Field field(Class<?> owner, String name) {
    for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
      try {
        final Field f = c.getDeclaredField(name);
        f.setAccessible(true);
        return f;
      }
      catch (NoSuchFieldException e) {
        continue;
      }
    }
    throw new IllegalArgumentException("no field " + owner.getName() + "." + name);
  }

  static Object get(Object object, String name) throws ReflectiveOperationException {
    return field(object.getClass(), name).get(object);
  }

  static Method method(Class<?> owner, String name, Class<?>... parameters) {
    for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
      try {
        final Method m = c.getDeclaredMethod(name, parameters);
        m.setAccessible(true);
        return m;
      }
      catch (NoSuchMethodException e) {
        continue;
      }
    }
    throw new IllegalArgumentException("no method " + owner.getName() + "." + name);
  }

  /** Calls a method without parameters. */
  static Object call(Object object, String name) throws ReflectiveOperationException {
    return method(object.getClass(), name).invoke(object);
  }
}
