package lottery.view.ops;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.store.projection.ReplayWorker;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Shows the progress of the read models over REST. It also starts the replay of a read model, which builds a new table
 * while the old one still answers.
 */
@RestController
@Tag(name = "Projections", description = "The read models: how far they are, and building them anew.")
class ProjectionsEndpoint {

    private static final String PROJECTIONS = "/api/v1/ops/projections";

    private final ProjectionStateReader states;
    private final ReplayWorker replays;

    ProjectionsEndpoint(ProjectionStateReader states, ReplayWorker replays) {
        this.states = states;
        this.replays = replays;
    }

    record ListedProjections(List<ProjectionState> items) {}

    @Operation(summary = "Show how far the read models are", description = """
                    Answers each read model with its position, the newest position of the log, and how many events
                    are parked. A read model that is built anew has its progress.""")
    @GetMapping(PROJECTIONS)
    ListedProjections listProjections() {
        return new ListedProjections(states.all());
    }

    @Operation(summary = "Build a read model anew", description = """
                    Begins to build a read model from the first event, and answers 202 at once. The old one answers
                    until the new one has caught up. While one is being built, a second request is refused with
                    REPLAY_RUNNING.""")
    @PostMapping(PROJECTIONS + "/{name}/replay")
    @ResponseStatus(HttpStatus.ACCEPTED)
    ProjectionState replayProjection(@PathVariable String name) {
        if (!replays.replayable().contains(name)) {
            throw new RefusedException(Refusal.NOT_FOUND, "projection:" + name);
        }
        if (!replays.begin(name)) {
            throw new RefusedException(Refusal.REPLAY_RUNNING, "projection:" + name);
        }
        return states.find(name);
    }
}
