package lottery.view.activity;

import java.util.List;
import java.util.Optional;
import lottery.api.activity.ActivityState;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

interface ActivityRowRepository extends Repository<ActivityRow, Long> {

    Optional<ActivityRow> findById(Long activityId);

    @Query("""
            select activity from ActivityRow activity
            where activity.activityId < :below
            order by activity.activityId desc""")
    List<ActivityRow> below(long below, Limit limit);

    @Query("""
            select activity from ActivityRow activity
            where activity.state = :state and activity.activityId < :below
            order by activity.activityId desc""")
    List<ActivityRow> belowIn(ActivityState state, long below, Limit limit);
}
