import Clock
import LineProtocol
import Metrics
import Testing

/// The metrics say what the status says, in base units, and nothing of what is unknown.
@Suite struct MetricTests {
    static let status = """
        {"version":"1.2.3","uptime_s":100.4,"gps":{"state":"fix3d","latitude":48.13875512,\
        "longitude":11.57612345,"satellites":12,"age_s":0.05},"push":{"rate_hz":10.0,\
        "target_hz":10.0,"sent":8000},"cameras":[{"name":"front","number":1,"state":"ready",\
        "recording":true,"battery_pct":87,"card_free_mb":58600,"remaining_s":5000,"pushed":4000,\
        "dropped":3,"void":20,"reconnects":1,"rssi_dbm":-58},{"name":"rear","number":2,\
        "state":"absent","recording":null,"battery_pct":null,"card_free_mb":null,\
        "remaining_s":null,"pushed":0,"dropped":0,"void":0,"reconnects":0,"rssi_dbm":null},\
        {"name":"stranger","number":null,"state":"listed","pushed":0}],"adapters":[{"address":\
        "AA:BB:CC:DD:EE:FF","usable":true,"links":1}],"track":{"path":"/t/a.csv","rows":77,\
        "unwritten":2,"error":"disk full"}}
        """

    private func families() throws -> [MetricFamily] {
        let status = try #require(JSONValue(Self.status))
        return RigMetrics.families(status, at: UnixTime(nanoseconds: 1_782_900_000_700_000_000))
    }

    @Test("Each number stands in its base unit, and what is unknown is left out")
    func samples() throws {
        let lines = MetricText.prometheus.write(try families()).split(separator: "\n")
        let samples = lines.filter { !$0.hasPrefix("#") }.map(String.init)
        #expect(
            samples == [
                "geotagd_up 1", "geotagd_build_info{version=\"1.2.3\"} 1",
                "geotagd_start_time_seconds 1782899900", "geotagd_gps_fix_mode 3",
                "geotagd_gps_satellites_used 12", "geotagd_gps_fix_age_seconds 0.05",
                "geotagd_push_rate_hertz 10.0", "geotagd_push_target_hertz 10.0",
                "geotagd_pushes_total{camera=\"front\"} 4000",
                "geotagd_pushes_total{camera=\"rear\"} 0",
                "geotagd_pushes_dropped_total{camera=\"front\"} 3",
                "geotagd_pushes_dropped_total{camera=\"rear\"} 0",
                "geotagd_pushes_void_total{camera=\"front\"} 20",
                "geotagd_pushes_void_total{camera=\"rear\"} 0",
                "geotagd_camera_up{camera=\"front\"} 1", "geotagd_camera_up{camera=\"rear\"} 0",
                "geotagd_camera_recording{camera=\"front\"} 1",
                "geotagd_camera_battery_ratio{camera=\"front\"} 0.87",
                "geotagd_camera_card_free_bytes{camera=\"front\"} 58600000000",
                "geotagd_camera_remaining_seconds{camera=\"front\"} 5000",
                "geotagd_camera_reconnects_total{camera=\"front\"} 1",
                "geotagd_camera_reconnects_total{camera=\"rear\"} 0",
                "geotagd_camera_rssi_dbm{camera=\"front\"} -58",
                "geotagd_adapter_up{adapter=\"AA:BB:CC:DD:EE:FF\"} 1",
                "geotagd_adapter_links{adapter=\"AA:BB:CC:DD:EE:FF\"} 1",
                "geotagd_track_rows 77", "geotagd_track_unwritten_total 2",
                "geotagd_track_failing 1",
            ])
    }

    @Test("No place stands in the metrics") func noPlace() throws {
        let text = MetricText.prometheus.write(try families())
        #expect(!text.contains("48.1") && !text.contains("11.5") && !text.contains("/t/a.csv"))
    }

    @Test("The two formats name the families each in its way")
    func formats() throws {
        let families = try families()
        let old = MetricText.prometheus.write(families)
        #expect(old.contains("# TYPE geotagd_pushes_total counter\n"))
        #expect(old.contains("# TYPE geotagd_build_info gauge\n"))
        #expect(!old.contains("# EOF"))
        let new = MetricText.openMetrics.write(families)
        #expect(new.contains("# TYPE geotagd_pushes counter\n"))
        #expect(new.contains("# TYPE geotagd_build info\n"))
        #expect(new.hasSuffix("\n# EOF\n"))
    }

    @Test("A label is escaped, and what answers nothing is down")
    func edges() {
        let family = MetricFamily.Sample(label: ("camera", "a\"b\\c\nd"), value: "1")
        #expect(family.value == "1")
        #expect(
            MetricText.prometheus.write(RigMetrics.down)
                == "# HELP geotagd_up Whether geotagd answers on its socket.\n"
                + "# TYPE geotagd_up gauge\ngeotagd_up 0\n")
        let odd = #"{"cameras":[{"name":"a\"b\\c","number":1,"state":"ready"}]}"#
        let families = JSONValue(odd).map { RigMetrics.families($0, at: .init(nanoseconds: 0)) }
        let text = MetricText.prometheus.write(families ?? [])
        #expect(text.contains(#"geotagd_camera_up{camera="a\"b\\c"} 1"#))
    }

    @Test("OpenMetrics is for those who ask for it") func accepted() {
        let asks = "application/openmetrics-text;version=1.0.0;q=0.9,text/plain;q=0.5"
        #expect(MetricText.accepted(asks).contentType.hasPrefix("application/openmetrics-text"))
        let plain = MetricText.accepted("text/html, */*").contentType
        #expect(plain.hasPrefix("text/plain; version=0.0.4"))
        #expect(MetricText.accepted(nil).contentType == plain)
    }
}
