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
@Tag(name = "Projections", description = "The read models: their positions, and their rebuilds.")
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
                    Returns the position of each read model, the newest position of the event log, and the number of
                    parked events. A read model that is being rebuilt also shows its progress.""")
    @GetMapping(PROJECTIONS)
    ListedProjections listProjections() {
        return new ListedProjections(states.all());
    }

    @Operation(summary = "Build a read model anew", description = """
                    Starts to rebuild a read model from the first event, and returns 202 at once. The old read model
                    answers until the new one has caught up. During a rebuild, a second request is refused with
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
