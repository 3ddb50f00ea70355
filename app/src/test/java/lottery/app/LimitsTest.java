package lottery.app;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static lottery.app.Production.CLASSES;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URL;
import java.net.URLConnection;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TransferQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.messaging.MetaData;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Nothing waits without a limit")
class LimitsTest {

    /**
     * A call that waits for ever, or a sleep, which waits for nothing in particular.
     *
     * @param parameters the parameters of the one overload that is meant; none: all of them
     */
    private record WaitingCall(Class<?> owner, String name, List<List<Class<?>>> parameters) {

        static WaitingCall any(Class<?> owner, String name) {
            return new WaitingCall(owner, name, List.of());
        }

        static WaitingCall with(Class<?> owner, String name, Class<?>... parameters) {
            return new WaitingCall(owner, name, List.of(List.of(parameters)));
        }

        boolean isMeantBy(CodeUnitAccessTarget target) {
            return target.getName().equals(name)
                    && target.getOwner().isAssignableTo(owner)
                    && (parameters.isEmpty() || parameters.stream().anyMatch(each -> areThoseOf(target, each)));
        }

        private static boolean areThoseOf(CodeUnitAccessTarget target, List<Class<?>> parameters) {
            return target.getRawParameterTypes().stream()
                    .map(JavaClass::getName)
                    .toList()
                    .equals(parameters.stream().map(Class::getName).toList());
        }
    }

    private static final List<WaitingCall> FOR_EVER = List.of(
            WaitingCall.with(Future.class, "get"),
            WaitingCall.any(CompletableFuture.class, "join"),
            WaitingCall.any(ForkJoinTask.class, "join"),
            WaitingCall.any(ForkJoinTask.class, "invoke"),
            WaitingCall.with(Object.class, "wait"),
            WaitingCall.with(Thread.class, "join"),
            WaitingCall.any(Thread.class, "sleep"),
            WaitingCall.any(TimeUnit.class, "sleep"),
            WaitingCall.with(LockSupport.class, "park"),
            WaitingCall.with(LockSupport.class, "park", Object.class),
            WaitingCall.with(CountDownLatch.class, "await"),
            WaitingCall.with(CyclicBarrier.class, "await"),
            WaitingCall.with(Condition.class, "await"),
            WaitingCall.any(Condition.class, "awaitUninterruptibly"),
            WaitingCall.any(Phaser.class, "arriveAndAwaitAdvance"),
            WaitingCall.any(Phaser.class, "awaitAdvance"),
            WaitingCall.with(Exchanger.class, "exchange", Object.class),
            WaitingCall.any(BlockingQueue.class, "take"),
            WaitingCall.any(BlockingQueue.class, "put"),
            WaitingCall.any(BlockingDeque.class, "takeFirst"),
            WaitingCall.any(BlockingDeque.class, "takeLast"),
            WaitingCall.any(BlockingDeque.class, "putFirst"),
            WaitingCall.any(BlockingDeque.class, "putLast"),
            WaitingCall.any(TransferQueue.class, "transfer"),
            WaitingCall.any(CompletionService.class, "take"),
            WaitingCall.any(Semaphore.class, "acquire"),
            WaitingCall.any(Semaphore.class, "acquireUninterruptibly"),
            WaitingCall.any(Lock.class, "lock"),
            WaitingCall.any(Lock.class, "lockInterruptibly"),
            // The end of a try-with-resources calls it, too: it waits for all tasks, however long they take.
            WaitingCall.any(ExecutorService.class, "close"),
            WaitingCall.with(ExecutorService.class, "invokeAll", Collection.class),
            WaitingCall.with(ExecutorService.class, "invokeAny", Collection.class),
            WaitingCall.with(Process.class, "waitFor"),
            WaitingCall.with(CommandGateway.class, "sendAndWait", Object.class),
            WaitingCall.with(CommandGateway.class, "sendAndWait", Object.class, MetaData.class),
            WaitingCall.any(HttpClient.class, "newHttpClient"),
            WaitingCall.any(HttpClient.class, "close"),
            WaitingCall.with(Socket.class, "connect", SocketAddress.class),
            WaitingCall.with(Socket.class, JavaConstructor.CONSTRUCTOR_NAME, String.class, int.class),
            WaitingCall.with(Socket.class, JavaConstructor.CONSTRUCTOR_NAME, InetAddress.class, int.class),
            WaitingCall.any(URL.class, "openStream"),
            WaitingCall.any(URLConnection.class, "getContent"));

    /**
     * Methods that wait under a limit of another class. The committer watches its units of work, which
     * {@code QueueTest} tests, because a timer for each of thousands a second costs too much.
     */
    private static final Set<String> WATCHED = Set.of("lottery.store.commit.CommitUnit.await()");

    @Test
    @DisplayName("Nothing waits without a limit for another thread, a process or a socket")
    void waits() {
        noClasses()
                .should()
                .accessTargetWhere(waitsForEver())
                .because("what one waits for may never come, and then the one who waits is lost as well")
                .check(CLASSES);
    }

    @Test
    @DisplayName("No request waits without a limit for an answer over HTTP")
    void requests() {
        classes()
                .that(are(describe("asking over HTTP", type -> calls(type, HttpRequest.class, "newBuilder"))))
                .should(be(describe(
                        "setting a time limit for the answer",
                        type -> calls(type, HttpRequest.Builder.class, "timeout"))))
                .because("by default a request waits for its answer for ever")
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    @DisplayName("No client waits without a limit for a connection over HTTP")
    void connections() {
        classes()
                .that(are(describe("connecting over HTTP", type -> calls(type, HttpClient.class, "newBuilder"))))
                .should(be(describe(
                        "setting a time limit for the connection",
                        type -> calls(type, HttpClient.Builder.class, "connectTimeout"))))
                .because("by default a client waits as long as the operating system does")
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    private static DescribedPredicate<JavaAccess<?>> waitsForEver() {
        return describe(
                "waits without a limit",
                access -> access.getTarget() instanceof CodeUnitAccessTarget target
                        && !WATCHED.contains(access.getOrigin().getFullName())
                        && FOR_EVER.stream().anyMatch(wait -> wait.isMeantBy(target)));
    }

    private static boolean calls(JavaClass type, Class<?> owner, String name) {
        return Stream.concat(type.getMethodCallsFromSelf().stream(), type.getMethodReferencesFromSelf().stream())
                .anyMatch(call -> call.getTarget().getName().equals(name)
                        && call.getTargetOwner().isAssignableTo(owner));
    }
}
