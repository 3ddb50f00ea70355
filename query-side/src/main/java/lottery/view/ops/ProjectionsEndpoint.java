package lottery.view.ops;

import java.util.List;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.store.projection.ReplayScheduler;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Shows the progress of the read models over REST, and has one built anew while the old one answers. */
@RestController
class ProjectionsEndpoint {

    private static final String PROJECTIONS = "/api/v1/ops/projections";

    private final ProjectionStates states;
    private final ReplayScheduler replays;

    ProjectionsEndpoint(ProjectionStates states, ReplayScheduler replays) {
        this.states = states;
        this.replays = replays;
    }

    record ListedProjections(List<ProjectionState> items) {}

    @GetMapping(PROJECTIONS)
    ListedProjections listProjections() {
        return new ListedProjections(states.all());
    }

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
