package lottery.store.saga;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;

/** A resource of trips: it records what is sent, and behaves as a test wants it to. */
class Search {

    enum SearchResult {
        DONE,
        GOES_ON,
        GIVEN_UP
    }

    private volatile Function<String, SearchResult> result = parcel -> SearchResult.DONE;
    private volatile Consumer<String> whenSeen = parcel -> {};
    private volatile Consumer<String> whenSent = parcel -> {};
    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final List<String> sent = new CopyOnWriteArrayList<>();

    SearchResult of(String parcel) {
        begun.add(parcel);
        CurrentUnitOfWork.get().root().afterCommit(committed -> {
            whenSent.accept(parcel);
            sent.add(parcel);
        });
        return result.apply(parcel);
    }

    void seen(String parcel) {
        whenSeen.accept(parcel);
    }

    void answers(Function<String, SearchResult> wanted) {
        result = wanted;
    }

    void whenSeen(Consumer<String> wanted) {
        whenSeen = wanted;
    }

    void whenSent(Consumer<String> wanted) {
        whenSent = wanted;
    }

    List<String> begun() {
        return List.copyOf(begun);
    }

    /** Returns each search that was committed. */
    List<String> sent() {
        return List.copyOf(sent);
    }

    void forget() {
        answers(parcel -> SearchResult.DONE);
        whenSeen(parcel -> {});
        whenSent(parcel -> {});
        begun.clear();
        sent.clear();
    }
}
