package lottery.fulfilment.coupon;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Reads a body up to a number of bytes, and does not wait for the rest. */
final class BoundedBodySubscriber implements BodySubscriber<byte[]> {

    private final ByteBuffer read;
    private final CompletableFuture<byte[]> done = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;

    BoundedBodySubscriber(int bytesMax) {
        this.read = ByteBuffer.allocate(bytesMax);
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return done;
    }

    @Override
    public void onSubscribe(Flow.Subscription begun) {
        subscription = begun;
        begun.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> pieces) {
        for (ByteBuffer piece : pieces) {
            int length = Math.min(piece.remaining(), read.remaining());
            read.put(read.position(), piece, piece.position(), length);
            read.position(read.position() + length);
        }
        if (!read.hasRemaining() && subscription != null) {
            subscription.cancel();
            onComplete();
        }
    }

    @Override
    public void onError(Throwable failure) {
        done.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        done.complete(Arrays.copyOf(read.array(), read.position()));
    }
}
