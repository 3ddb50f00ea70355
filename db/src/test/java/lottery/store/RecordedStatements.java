package lottery.store;

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

/** Records the statements about a thing that reach the database, from the thread of the test or from any. */
public class RecordedStatements implements BeanPostProcessor {

    private final List<String> executed = new CopyOnWriteArrayList<>();
    private volatile Predicate<String> watched = sql -> false;

    /** Returns the statements about a thing that a piece of work executes on its own thread. */
    public List<String> during(String thing, Runnable work) {
        Thread mine = Thread.currentThread();
        return during(sql -> sql.contains(thing) && Thread.currentThread().equals(mine), work);
    }

    /** Returns the statements about a thing that all threads execute during a piece of work. */
    public List<String> ofAllDuring(String thing, Runnable work) {
        return during(sql -> sql.contains(thing), work);
    }

    private List<String> during(Predicate<String> which, Runnable work) {
        executed.clear();
        watched = which;
        try {
            work.run();
        } finally {
            watched = sql -> false;
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
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
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
