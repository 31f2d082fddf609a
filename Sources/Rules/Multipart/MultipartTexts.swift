/// What rules of several kinds say of their evidence.
enum MultipartTexts {
  static let delimiterEvidence = """
    The bytes as they were sent and, where a request was refused or never answered, how; that one led to the other is \
    inferred. Most frameworks answer 400, some 500, some see an empty form.
    """

  static let headerEvidence = """
    The line as it was sent and, where a request was refused or never answered, how; that one led to the other is inferred.
    """
}
