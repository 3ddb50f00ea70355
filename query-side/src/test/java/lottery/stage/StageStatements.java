package lottery.stage;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Records the statements that reach the database, from all threads. */
public final class StageStatements implements BeanPostProcessor {

    private final List<String> executed = new CopyOnWriteArrayList<>();
    private volatile Predicate<String> watched = _ -> false;

    /** Returns the statements of a kind that any thread executes during the work. */
    public List<String> during(Predicate<String> kind, Runnable work) {
        executed.clear();
        watched = kind;
        try {
            work.run();
        } finally {
            watched = _ -> false;
        }
        return List.copyOf(executed);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof DataSource source ? new WatchedDataSource(source) : bean;
    }

    private final class WatchedDataSource extends DelegatingDataSource {

        WatchedDataSource(DataSource source) {
            super(source);
        }

        @Override
        public Connection getConnection() throws SQLException {
            return watch(Connection.class, super.getConnection(), "");
        }
    }

    private <T> T watch(Class<T> type, T target, String sql) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
                    note(method, sql);
                    Object result = call(target, method, arguments);
                    return result instanceof PreparedStatement statement
                                    && arguments != null
                                    && arguments[0] instanceof String text
                            ? watch(PreparedStatement.class, statement, text)
                            : result;
                }));
    }

    private void note(Method method, String sql) {
        if (method.getName().startsWith("execute") && watched.test(sql)) {
            executed.add(sql);
        }
    }

    private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
