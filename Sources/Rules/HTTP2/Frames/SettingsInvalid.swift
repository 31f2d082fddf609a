import Events
import HTTP2Semantics

/// A value beyond its limits.
enum SettingsInvalid: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/settings-invalid", severity: .error,
    summary: "SETTINGS have a value that they cannot have.",
    explanation: "A receiver gives the connection up.",
    evidence: "The frame.",
    fix: "Sender: repair the value.",
    specifications: [.settings], since: "0.1")

  static let frames: Set<HTTP2Fault.Kind> = [.settingValue, .settingsAckPayload]

  static func words(_ fault: HTTP2Fault) -> String {
    let setting = HTTP2Setting(
      id: UInt16(truncatingIfNeeded: fault.limit), value: UInt32(truncatingIfNeeded: fault.value))
    return fault.kind == .settingValue
      ? "sent SETTINGS with \(setting.name) \(setting.value)" : "acknowledged SETTINGS with a payload"
  }
}
